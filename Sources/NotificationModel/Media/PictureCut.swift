/// Which pixels of a picture are shown, and how large; pure.
public struct PictureCut: Hashable, Sendable {
    /// The left and the upper edge and the size of the part, in pixels of the picture.
    public var x, y, width, height: Int
    /// The size that the part is brought to: never larger, its longer side at most
    /// `Picture.longestSide`.
    public var toWidth, toHeight: Int

    /// The cut for a picture of this size, which is at least one pixel each way.
    public init(_ part: AttachmentThumbnail.Rectangle?, ofWidth width: Int, height: Int) {
        let (x, partWidth) = Self.span(part?.x ?? 0, part?.width ?? 1, of: width)
        let (y, partHeight) = Self.span(part?.y ?? 0, part?.height ?? 1, of: height)
        self.x = x
        self.y = y
        self.width = partWidth
        self.height = partHeight
        let scale = min(1, Double(Picture.longestSide) / Double(max(partWidth, partHeight)))
        toWidth = max(1, Int((Double(partWidth) * scale).rounded()))
        toHeight = max(1, Int((Double(partHeight) * scale).rounded()))
    }

    /// Whole pixels within the picture, at least one.
    private static func span(_ start: Double, _ length: Double, of side: Int) -> (Int, Int) {
        let size = Double(side)
        let first = min(side - 1, max(0, Int((start * size).rounded())))
        let end = min(side, max(first + 1, Int(((start + length) * size).rounded())))
        return (first, end - first)
    }
}
