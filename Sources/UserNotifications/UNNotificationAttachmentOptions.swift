/// The uniform type identifier of the file, where its extension does not tell it; a `String`.
public let UNNotificationAttachmentOptionsTypeHintKey =
    "UNNotificationAttachmentOptionsTypeHintKey"

/// Whether the picture is kept out of the popup; a `Bool`.
public let UNNotificationAttachmentOptionsThumbnailHiddenKey =
    "UNNotificationAttachmentOptionsThumbnailHiddenKey"

/// The part of the picture to show; a dictionary of X, Y, Width and Height from 0 to 1.
public let UNNotificationAttachmentOptionsThumbnailClippingRectKey =
    "UNNotificationAttachmentOptionsThumbnailClippingRectKey"

/// The frame of an animation, or the second of a movie, to show; a number.
public let UNNotificationAttachmentOptionsThumbnailTimeKey =
    "UNNotificationAttachmentOptionsThumbnailTimeKey"
