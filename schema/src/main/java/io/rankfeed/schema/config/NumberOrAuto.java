package io.rankfeed.schema.config;

import java.util.OptionalInt;

/**
 * A whole number, or {@code auto}: the program chooses one.
 *
 * @param number empty: auto
 */
public record NumberOrAuto(OptionalInt number) {
    /** How the choice of the program is written. */
    public static final String WORD = "auto";

    public static final NumberOrAuto AUTO = new NumberOrAuto(OptionalInt.empty());

    public static NumberOrAuto of(int number) {
        return new NumberOrAuto(OptionalInt.of(number));
    }

    /** @throws BadValue if this is neither a whole number nor {@code auto} */
    public static NumberOrAuto parse(String text) {
        if (text.equals(WORD)) {
            return AUTO;
        }
        try {
            return of(Integer.parseInt(text));
        } catch (NumberFormatException e) {
            throw new BadValue("", "'" + text + "' is neither a whole number nor auto");
        }
    }

    public boolean isAuto() {
        return number.isEmpty();
    }

    /** The number as it is written. */
    @Override
    public String toString() {
        return isAuto() ? WORD : Integer.toString(number.getAsInt());
    }
}
