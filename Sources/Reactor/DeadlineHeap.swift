/// All deadlines of one reactor: a binary heap whose members know their place, so that a
/// cancelled one leaves at once.
struct DeadlineHeap {
    private var heap: [Deadline] = []

    var earliest: Deadline? { heap.first }
    var count: Int { heap.count }

    mutating func insert(_ deadline: Deadline) {
        deadline.index = heap.count
        heap.append(deadline)
        siftUp(from: deadline.index)
    }

    mutating func remove(_ deadline: Deadline) {
        let index = deadline.index
        guard index >= 0 else { return }
        deadline.index = -1
        let last = heap.removeLast()
        guard last !== deadline else { return }
        place(last, at: index)
        siftUp(from: index)
        siftDown(from: last.index)
    }

    mutating func removeAll() {
        for deadline in heap {
            deadline.index = -1
            deadline.handler = nil
        }
        heap = []
    }

    private mutating func place(_ deadline: Deadline, at index: Int) {
        heap[index] = deadline
        deadline.index = index
    }

    private mutating func siftUp(from start: Int) {
        let moving = heap[start]
        var index = start
        while index > 0 {
            let parent = (index - 1) / 2
            guard moving < heap[parent] else { break }
            place(heap[parent], at: index)
            index = parent
        }
        place(moving, at: index)
    }

    private mutating func siftDown(from start: Int) {
        let moving = heap[start]
        var index = start
        while true {
            var child = 2 * index + 1
            guard child < heap.count else { break }
            if child + 1 < heap.count, heap[child + 1] < heap[child] { child += 1 }
            guard heap[child] < moving else { break }
            place(heap[child], at: index)
            index = child
        }
        place(moving, at: index)
    }
}
