extension Duration {
    /// Microseconds, the unit of the engine's clocks.
    package var wholeMicroseconds: Int64 {
        components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000
    }
}
