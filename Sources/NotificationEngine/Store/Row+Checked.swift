internal import GRDB

extension Row {
    /// The value of a column, or nil where it has another type or there is no such column.
    ///
    /// A damaged page may hold anything, and GRDB's typed subscripts stop the program there.
    func checked<Value: DatabaseValueConvertible>(_ column: String) -> Value? {
        let value: (any DatabaseValueConvertible)? = self[column]
        return value.flatMap { Value.fromDatabaseValue($0.databaseValue) }
    }
}
