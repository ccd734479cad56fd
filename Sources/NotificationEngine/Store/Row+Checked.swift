internal import GRDB

extension Row {
    /// The value of a column, or nil where it has another type.
    ///
    /// A damaged page may hold anything, and GRDB's own subscripts stop the program there.
    func checked<Value: DatabaseValueConvertible>(_ column: String) -> Value? {
        Value.fromDatabaseValue(self[column] as DatabaseValue)
    }
}
