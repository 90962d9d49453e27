package io.rankfeed.export.format;

import java.util.List;

/**
 * Adjacent rows of a set that one task writes.
 *
 * @param index number of the part, from 0
 * @param firstRow position in the set of its first row, from 0
 * @param rows its rows
 * @param surveys the results of the survey for all parts of the set in their order; empty without a survey
 */
public record Part(int index, long firstRow, long rows, List<byte[]> surveys) {
    public Part {
        surveys = List.copyOf(surveys);
    }

    static Part of(int index, long firstRow, long rows) {
        return new Part(index, firstRow, rows, List.of());
    }

    public Part with(List<byte[]> results) {
        return new Part(index, firstRow, rows, results);
    }
}
