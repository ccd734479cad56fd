internal import Glibc
internal import NotificationModel

/// An existing sound file and its duration.
package struct SoundFile: Hashable, Sendable {
    /// The longest sound of a notification in seconds, as on Apple's platforms.
    static let longest = 30.0

    package let path: String
    /// The duration in seconds; nil if the format is unknown or the file is damaged.
    package let duration: Double?

    /// Whether this file can be played; if not, the default sound is played.
    package var isPlayable: Bool { duration.map { $0 > 0 && $0 <= Self.longest } ?? false }

    package init?(path: String) {
        // Follow links, because sound themes consist of links.
        guard let file = OpenFile(following: path) else { return nil }
        self.path = path
        duration = SoundDuration(file: file).seconds
    }
}

/// The duration of a sound, from the headers of WAV, AIFF, CAF, FLAC, Ogg Vorbis and Ogg Opus.
///
/// The duration is finite; it is nil if the format is unknown or the file is damaged. No samples
/// are decoded, and only a bounded number of headers is read.
///
/// Sources: Microsoft, "Multimedia Programming Interface"; Apple, "AIFF-C" and "Core Audio Format";
/// RFC 9639 (FLAC); RFC 3533 (Ogg) with the Vorbis I specification and RFC 7845 (Opus).
struct SoundDuration {
    let file: OpenFile

    var seconds: Double? {
        if matches("RIFF", at: 0), matches("WAVE", at: 8) { return wave }
        if matches("FORM", at: 0), matches("AIF", at: 8) { return aiff }
        if matches("caff", at: 0) { return coreAudio }
        if matches("fLaC", at: 0) { return flac }
        if matches("OggS", at: 0) { return ogg }
        return nil
    }

    private static func ratio(_ count: Double, _ rate: Double) -> Double? {
        guard rate > 0, rate.isFinite, count >= 0 else { return nil }
        let seconds = count / rate
        return seconds.isFinite ? seconds : nil
    }

    // MARK: Chunked formats

    private func chunk(_ name: String, swapped: Bool) -> (start: Int, size: Int)? {
        var offset = 12
        // The bound limits the reads in a file of many empty chunks.
        for _ in 0..<256 {
            guard let size: UInt32 = number(at: offset + 4, isLittleEndian: swapped) else {
                return nil
            }
            if matches(name, at: offset) { return (offset + 8, Int(size)) }
            offset += 8 + Int(size) + Int(size & 1)
        }
        return nil
    }

    private var wave: Double? {
        guard let format = chunk("fmt ", swapped: true), let data = chunk("data", swapped: true),
            let rate: UInt32 = number(at: format.start + 8, isLittleEndian: true)
        else { return nil }
        // A recorder that cannot correct its header at the end may state more bytes than it wrote.
        return Self.ratio(Double(min(data.size, file.size - data.start)), Double(rate))
    }

    private var aiff: Double? {
        guard let common = chunk("COMM", swapped: false),
            let frames: UInt32 = number(at: common.start + 2),
            let exponent: UInt16 = number(at: common.start + 8),
            let mantissa: UInt64 = number(at: common.start + 10)
        else { return nil }
        // An IEEE 754 number of 80 bits, with an explicit leading bit.
        let power = Int(exponent & 0x7FFF) - 16_383 - 63
        let rate = Double(sign: .plus, exponent: power, significand: Double(mantissa))
        return Self.ratio(Double(frames), rate)
    }

    private var coreAudio: Double? {
        guard matches("desc", at: 8), let bits: UInt64 = number(at: 20),
            let packetSize: UInt32 = number(at: 36),
            let packetFrames: UInt32 = number(at: 40)
        else { return nil }
        let rate = Double(bitPattern: bits)
        var offset = 8
        var frames: Double?
        for _ in 0..<256 {
            guard let size: Int64 = number(at: offset + 4) else { break }
            let start = offset + 12
            if matches("pakt", at: offset) {
                frames = (number(at: start + 8) as UInt64?).map { Double($0) }
                break
            }
            if matches("data", at: offset), packetSize > 0 {
                // The chunk begins with the number of edits. Size -1 means "to the file's end".
                let bytes = (size < 0 ? file.size - start : Int(clamping: size)) - 4
                frames = Double(bytes / Int(packetSize)) * Double(packetFrames)
            }
            guard size >= 0, size < Int64(file.size) else { break }
            offset = start + Int(size)
        }
        return frames.flatMap { Self.ratio($0, rate) }
    }

    // MARK: Streams

    private var flac: Double? {
        guard let bits: UInt64 = number(at: 18) else { return nil }
        return Self.ratio(Double(bits & 0xF_FFFF_FFFF), Double(bits >> 44))
    }

    private var ogg: Double? {
        guard let segments: UInt8 = number(at: 26), let samples = lastGranule else { return nil }
        let packet = 27 + Int(segments)
        if matches("OpusHead", at: packet) {
            let skipped: UInt16 = number(at: packet + 10, isLittleEndian: true) ?? 0
            return Self.ratio(Double(samples) - Double(skipped), 48_000)
        }
        guard matches("\u{1}vorbis", at: packet),
            let rate: UInt32 = number(at: packet + 12, isLittleEndian: true)
        else { return nil }
        return Self.ratio(Double(samples), Double(rate))
    }

    /// The granule position (the count of samples) of the last page that states one.
    ///
    /// A page has at most 65,307 bytes, so this reads at least the last two pages.
    private var lastGranule: Int64? {
        let size = min(file.size, 65_307 * 2)
        let start = file.size - size
        guard let tail = bytes(at: start, size) else { return nil }
        let mark = Array("OggS".utf8)
        for place in stride(from: tail.count - 14, through: 0, by: -1) {
            if tail[place] == mark[0], Array(tail[place..<place + 4]) == mark,
                let granule: Int64 = number(at: start + place + 6, isLittleEndian: true),
                granule >= 0
            {
                return granule
            }
        }
        return nil
    }

    // MARK: Bytes

    /// The bytes at an offset; nil if the file is too short.
    private func bytes(at offset: Int, _ count: Int) -> [UInt8]? {
        guard offset >= 0, count >= 0, offset <= file.size - count else { return nil }
        var buffer = [UInt8](repeating: 0, count: count)
        return pread(file.descriptor, &buffer, count, off_t(offset)) == count ? buffer : nil
    }

    private func matches(_ text: String, at offset: Int) -> Bool {
        bytes(at: offset, text.utf8.count) == Array(text.utf8)
    }

    private func number<Number: FixedWidthInteger>(
        at offset: Int, isLittleEndian: Bool = false
    ) -> Number? {
        let value = bytes(at: offset, MemoryLayout<Number>.size)?
            .reduce(Number.zero) { $0 << 8 | Number($1) }
        return isLittleEndian ? value?.byteSwapped : value
    }
}
