package io.rankfeed.export.petastorm;

/** A pickle that is none of a Unischema. */
final class PickleDamage extends Exception {
    private static final long serialVersionUID = 1L;

    private final int at;

    /** @param at byte in the pickle */
    PickleDamage(int at, String what) {
        super(what);
        this.at = at;
    }

    int at() {
        return at;
    }
}
