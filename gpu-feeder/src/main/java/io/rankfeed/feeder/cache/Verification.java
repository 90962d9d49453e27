package io.rankfeed.feeder.cache;

import java.util.Locale;

/** When the record batches of mapped lanes are compared with their checksums. */
public enum Verification {
    /** Each record batch before its first row is served, and in file order in the background; then again in each epoch. */
    FIRST_ACCESS,
    /** All record batches before the first trainer is served; then again in each epoch. */
    START,
    /** Record batches are not compared. */
    OFF;

    /** The name in flags and feed files, as {@code first-access}. */
    public String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
