package io.rankfeed.text.chat.jinja.node;

import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds, before anything is evaluated, the names of a frame that have no value when it begins, as Jinja's compiler does: a
 * name that the frame sets before it reads it hides the caller's variable of that name from the start, so that a loop
 * before the assignment finds it undefined.
 */
public final class Names {
    private final @Nullable Names around;
    private final Set<String> known;
    private final Set<String> stored;
    private final Set<String> unset;

    public Names(@Nullable Names around) {
        this(around, new HashSet<>(), new HashSet<>(), new HashSet<>());
    }

    private Names(@Nullable Names around, Set<String> known, Set<String> stored, Set<String> unset) {
        this.around = around;
        this.known = known;
        this.stored = stored;
        this.unset = unset;
    }

    private boolean isKnown(String name) {
        return known.contains(name) || (around != null && around.isKnown(name));
    }

    public void read(String name) {
        if (!isKnown(name)) {
            known.add(name);
        }
    }

    public void store(String name) {
        stored.add(name);
        if (!known.contains(name)) {
            if (around == null || !around.isKnown(name)) {
                unset.add(name);
            }
            known.add(name);
        }
    }

    public void parameter(String name) {
        stored.add(name);
        known.add(name);
    }

    /** Names of a branch, which may not run. */
    public Names branch() {
        return new Names(around, new HashSet<>(known), new HashSet<>(stored), new HashSet<>(unset));
    }

    /**
     * Joins the names of branches. A name that a branch sets first keeps its outer value if the branch does not run.
     */
    public void join(Iterable<Names> branches) {
        Set<String> ofBranches = new HashSet<>();
        for (Names branch : branches) {
            ofBranches.addAll(branch.stored);
        }
        ofBranches.removeAll(stored);
        for (Names branch : branches) {
            known.addAll(branch.known);
            stored.addAll(branch.stored);
            unset.addAll(branch.unset);
        }
        unset.removeAll(ofBranches);
    }

    public Set<String> unset() {
        return Set.copyOf(unset);
    }
}
