package io.rankfeed.text.chat.jinja.parse;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;

/**
 * The state that the parsers share: the names that were read, and the macros, loops and branches around the current
 * tag.
 */
public final class ParsedNames {
    private final Set<String> all = new HashSet<>();
    private final Deque<Set<String>> macros = new ArrayDeque<>();
    private int loops;
    private int jumps;
    private int branches;

    public void read(String name) {
        all.add(name);
        macros.forEach(names -> names.add(name));
    }

    public Set<String> all() {
        return Set.copyOf(all);
    }

    /** The numbers of jumps and branches around a frame, to be restored at its end. */
    public record Surroundings(int jumps, int branches) {}

    /** The body of a macro or of a block that Jinja makes a function of: loops around it cannot be ended from within. */
    public Surroundings enterMacro() {
        Surroundings around = enterFrame();
        macros.push(new HashSet<>());
        jumps = 0;
        return around;
    }

    /** @return the names that were read within */
    public Set<String> leaveMacro(Surroundings around) {
        leaveFrame(around);
        return macros.pop();
    }

    /** A frame, in which an unknown filter is refused again although there is a branch around it. */
    public Surroundings enterFrame() {
        Surroundings around = new Surroundings(jumps, branches);
        branches = 0;
        return around;
    }

    public void leaveFrame(Surroundings around) {
        jumps = around.jumps();
        branches = around.branches();
    }

    public void enterLoop() {
        loops++;
        jumps++;
    }

    public void leaveLoop() {
        loops--;
    }

    public boolean isInLoop() {
        return loops > 0;
    }

    /** Whether {@code break} has a loop to end. */
    public boolean canJump() {
        return jumps > 0;
    }

    public void enterBranch() {
        branches++;
    }

    public void leaveBranch() {
        branches--;
    }

    /** Whether the code may never run, so that what is unknown there is refused when it runs. */
    public boolean isInBranch() {
        return branches > 0;
    }
}
