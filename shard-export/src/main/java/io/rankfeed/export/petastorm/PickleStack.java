package io.rankfeed.export.petastorm;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** The stack of a pickle's reader. Nothing below the last mark can be popped one by one. */
final class PickleStack {
    private final PickleBytes in;
    private final List<PickleNode> nodes = new ArrayList<>();
    private final Deque<Integer> marks = new ArrayDeque<>();

    PickleStack(PickleBytes in) {
        this.in = in;
    }

    int size() {
        return nodes.size();
    }

    void push(PickleNode node) {
        nodes.add(node);
    }

    PickleNode peek() throws PickleDamage {
        require(1);
        return nodes.get(nodes.size() - 1);
    }

    PickleNode pop() throws PickleDamage {
        require(1);
        return nodes.remove(nodes.size() - 1);
    }

    List<PickleNode> popLast(int count) throws PickleDamage {
        require(count);
        return popFrom(nodes.size() - count);
    }

    void mark() {
        marks.push(nodes.size());
    }

    List<PickleNode> popToMark() throws PickleDamage {
        if (marks.isEmpty()) {
            throw in.damage("goes back to a mark that does not exist");
        }
        return popFrom(marks.pop());
    }

    private List<PickleNode> popFrom(int first) {
        List<PickleNode> tail = nodes.subList(first, nodes.size());
        List<PickleNode> popped = List.copyOf(tail);
        tail.clear();
        return popped;
    }

    private void require(int count) throws PickleDamage {
        int floor = marks.isEmpty() ? 0 : marks.peek();
        if (nodes.size() - floor < count) {
            throw in.damage("takes more from its stack than the stack has");
        }
    }
}
