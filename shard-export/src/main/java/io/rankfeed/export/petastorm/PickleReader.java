package io.rankfeed.export.petastorm;

import io.rankfeed.export.petastorm.PickleNode.Flag;
import io.rankfeed.export.petastorm.PickleNode.Listing;
import io.rankfeed.export.petastorm.PickleNode.Mapping;
import io.rankfeed.export.petastorm.PickleNode.Nothing;
import io.rankfeed.export.petastorm.PickleNode.Text;
import io.rankfeed.export.petastorm.PickleNode.Tuple;
import io.rankfeed.export.petastorm.PickleNode.Whole;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads the pickle of a Unischema, of protocol 0 to 5, into inert nodes. Only the opcodes are known that such a pickle
 * needs, only the names of {@link PickleNames}, and of calls only those of {@link PickleCalls}; at anything else it
 * stops. There is no recursion, the steps are bounded, and memory grows with the steps.
 */
final class PickleReader {
    /** A schema of 4,096 fields takes a quarter of it. */
    private static final int MAX_STEPS = 1 << 20;

    private static final int MAX_PROTOCOL = 5;

    private final PickleBytes in;
    private final PickleStack stack;
    private final PickleCalls calls = new PickleCalls();
    private final Map<Integer, PickleNode> memo = new HashMap<>();

    private PickleReader(byte[] pickle) {
        this.in = new PickleBytes(pickle);
        this.stack = new PickleStack(in);
    }

    /** @throws PickleDamage at the first byte that no Unischema's pickle has */
    static PickleNode read(byte[] pickle) throws PickleDamage {
        return new PickleReader(pickle).run();
    }

    private PickleNode run() throws PickleDamage {
        for (int step = 0; step < MAX_STEPS; step++) {
            int at = in.at();
            int opcode = in.u8();
            if (opcode == '.') {
                PickleNode result = stack.pop();
                if (stack.size() != 0 || in.left() != 0) {
                    throw in.damage("ends before its last byte");
                }
                return result;
            }
            if (!number(opcode) && !text(opcode) && !container(opcode) && !memo(opcode) && !object(opcode, at)) {
                throw new PickleDamage(
                        at, "has the opcode 0x" + Integer.toHexString(opcode) + ", which no Unischema needs");
            }
        }
        throw in.damage("has more than " + MAX_STEPS + " steps");
    }

    private boolean number(int opcode) throws PickleDamage {
        switch (opcode) {
            case 'N' -> stack.push(Nothing.NONE);
            case 0x88 -> stack.push(new Flag(true));
            case 0x89 -> stack.push(new Flag(false));
            case 'I' -> stack.push(decimalOrFlag(in.line()));
            case 'L' -> stack.push(new Whole(decimal(stripped(in.line()))));
            case 'J' -> stack.push(new Whole(in.signed(4)));
            case 'K' -> stack.push(new Whole(in.unsigned(1)));
            case 'M' -> stack.push(new Whole(in.unsigned(2)));
            case 0x8a -> stack.push(new Whole(in.signed(in.unsigned(1))));
            default -> {
                return false;
            }
        }
        return true;
    }

    private boolean text(int opcode) throws PickleDamage {
        switch (opcode) {
            case 'S' -> stack.push(new Text(PickleText.quoted(in.line(), in)));
            case 'V' -> stack.push(new Text(PickleText.escaped(in.line(), in)));
            case 'T' -> stack.push(new Text(in.text(in.unsigned(4), StandardCharsets.ISO_8859_1)));
            case 'U' -> stack.push(new Text(in.text(in.unsigned(1), StandardCharsets.ISO_8859_1)));
            case 'X' -> stack.push(new Text(in.text(in.unsigned(4), StandardCharsets.UTF_8)));
            case 0x8c -> stack.push(new Text(in.text(in.unsigned(1), StandardCharsets.UTF_8)));
            default -> {
                return false;
            }
        }
        return true;
    }

    private boolean container(int opcode) throws PickleDamage {
        switch (opcode) {
            case '(' -> stack.mark();
            case '0' -> stack.pop();
            case ')' -> stack.push(new Tuple(List.of()));
            case 't' -> stack.push(new Tuple(stack.popToMark()));
            case 0x85 -> stack.push(new Tuple(stack.popLast(1)));
            case 0x86 -> stack.push(new Tuple(stack.popLast(2)));
            case 0x87 -> stack.push(new Tuple(stack.popLast(3)));
            case ']' -> stack.push(new Listing(List.of()));
            case 'l' -> stack.push(new Listing(stack.popToMark()));
            case 'a' -> appendAll(stack.popLast(1));
            case 'e' -> appendAll(stack.popToMark());
            case '}' -> stack.push(new Mapping());
            case 'd' -> {
                List<PickleNode> items = stack.popToMark();
                stack.push(new Mapping());
                putAll(items);
            }
            case 's' -> putAll(stack.popLast(2));
            case 'u' -> putAll(stack.popToMark());
            default -> {
                return false;
            }
        }
        return true;
    }

    private boolean memo(int opcode) throws PickleDamage {
        switch (opcode) {
            case 'p' -> remember(decimal(in.line()));
            case 'q' -> remember(in.unsigned(1));
            case 'r' -> remember(in.unsigned(4));
            case 0x94 -> remember(memo.size());
            case 'g' -> recall(decimal(in.line()));
            case 'h' -> recall(in.unsigned(1));
            case 'j' -> recall(in.unsigned(4));
            default -> {
                return false;
            }
        }
        return true;
    }

    private boolean object(int opcode, int at) throws PickleDamage {
        switch (opcode) {
            case 0x80 -> {
                if (in.unsigned(1) > MAX_PROTOCOL) {
                    throw in.damage("is of a protocol above " + MAX_PROTOCOL);
                }
            }
            case 0x95 -> in.require(in.littleEndian(8));
            case 'c' -> stack.push(PickleNames.known(at, in.line(), in.line()));
            case 0x93 -> {
                List<PickleNode> names = stack.popLast(2);
                if (names.get(0) instanceof Text module && names.get(1) instanceof Text name) {
                    stack.push(PickleNames.known(at, module.value(), name.value()));
                } else {
                    throw new PickleDamage(at, "has a name that is not a text");
                }
            }
            case 'R', 0x81 -> {
                List<PickleNode> call = stack.popLast(2);
                stack.push(calls.call(at, call.get(0), call.get(1)));
            }
            case 'b' -> {
                PickleNode state = stack.pop();
                calls.build(at, stack.peek(), state);
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    private void appendAll(List<PickleNode> items) throws PickleDamage {
        if (!(stack.peek() instanceof Listing list)) {
            throw in.damage("appends to what is not a list");
        }
        list.items().addAll(items);
    }

    private void putAll(List<PickleNode> items) throws PickleDamage {
        if (!(stack.peek() instanceof Mapping mapping) || items.size() % 2 != 0) {
            throw in.damage("sets items of what is not a dict");
        }
        for (int i = 0; i < items.size(); i += 2) {
            mapping.put(items.get(i), items.get(i + 1));
        }
    }

    private void remember(long index) throws PickleDamage {
        memo.put(index(index), stack.peek());
    }

    private void recall(long index) throws PickleDamage {
        PickleNode node = memo.get(index(index));
        if (node == null) {
            throw in.damage("recalls what it never kept");
        }
        stack.push(node);
    }

    private int index(long index) throws PickleDamage {
        if (index < 0 || index > Integer.MAX_VALUE) {
            throw in.damage("keeps something as number " + index);
        }
        return (int) index;
    }

    private PickleNode decimalOrFlag(String line) throws PickleDamage {
        if (line.equals("00") || line.equals("01")) {
            return new Flag(line.equals("01"));
        }
        return new Whole(decimal(line));
    }

    private long decimal(String line) throws PickleDamage {
        try {
            return Long.parseLong(line);
        } catch (NumberFormatException e) {
            throw in.damage("has a number that is none");
        }
    }

    private static String stripped(String line) {
        return line.endsWith("L") ? line.substring(0, line.length() - 1) : line;
    }
}
