package io.rankfeed.feeder.explain;

import io.rankfeed.schema.Field;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.digest.KeyEncoding;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.manifest.Origin;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * A row as a user names it: its row id, the values of its key (a version does not know their types, so each is taken
 * for every type that it can be), or its source file and row.
 *
 * @param rowIds the row has one of these ids
 * @param source index of the source file, −1 where none is named
 * @param sourceRow row in the source file
 */
record RowKey(Set<Long> rowIds, int source, long sourceRow) {
    private static final int MAX_COLUMNS = 12;
    private static final Pattern WHOLE = Pattern.compile("-?[0-9]{1,19}");
    private static final Pattern SOURCE_ROW = Pattern.compile("(.+?) *: *([0-9]{1,18}) *");

    /**
     * @param words one for each key column
     * @param sources names of the version's source files
     */
    static RowKey of(List<String> words, List<String> sources) {
        if (words.size() > MAX_COLUMNS) {
            throw new ConfigException("--row: a key of " + words.size() + " columns; at most " + MAX_COLUMNS);
        }
        Set<Long> ids = new TreeSet<>();
        List<KeyEncoding> encodings = new ArrayList<>();
        for (int taken = 0; taken < 1 << (2 * words.size()); taken++) {
            KeyEncoding encoding = new KeyEncoding();
            if (encode(words, taken, encoding)) {
                encodings.add(encoding);
            }
        }
        encodings.forEach(encoding -> ids.add(encoding.rowId()));
        String first = words.get(0);
        if (words.size() == 1 && isWhole(first)) {
            ids.add(Long.parseLong(first));
        }
        Matcher sourceRow = SOURCE_ROW.matcher(first);
        boolean named = words.size() == 1 && sourceRow.matches() && sources.contains(sourceRow.group(1));
        return new RowKey(
                ids, named ? sources.indexOf(sourceRow.group(1)) : -1, named ? Long.parseLong(sourceRow.group(2)) : -1);
    }

    boolean is(long rowId, int rowSource, long rowInSource) {
        return rowIds.contains(rowId) || (source >= 0 && rowSource == source && rowInSource == sourceRow);
    }

    /**
     * Returns why no row can have this key, if the arguments alone show it: their number must equal the number of key
     * columns, and each must have its column's type. The type of a column that is not exported is unknown.
     *
     * @param schema of the version
     */
    static Optional<String> misfit(List<String> words, Origin origin, SampleSchema schema) {
        List<String> key = origin.key();
        boolean isSourceRow =
                words.size() == 1 && SOURCE_ROW.matcher(words.get(0)).matches();
        if (key.isEmpty()) {
            return isSourceRow || isWhole(words.get(0))
                    ? Optional.empty()
                    : Optional.of("rows of this version have no key; name one by its source and row in it, as in"
                            + " solutions/part-0.parquet:17, or by its row id");
        } else if (isSourceRow) {
            return Optional.empty();
        } else if (words.size() != key.size()) {
            return Optional.of("the key is " + String.join(", ", key) + "; give one --row for each, in this order");
        }
        return IntStream.range(0, key.size())
                .mapToObj(i -> schema.find(key.get(i)).flatMap(column -> misfit(words.get(i), column)))
                .flatMap(Optional::stream)
                .findFirst();
    }

    private static Optional<String> misfit(String word, Field column) {
        return switch (column.dtype()) {
            case STRING, BINARY -> Optional.empty();
            case BOOL ->
                word.equals("true") || word.equals("false")
                        ? Optional.empty()
                        : Optional.of(
                                "'" + word + "' is neither true nor false, as key column '" + column.name() + "' is");
            default ->
                isWhole(word)
                        ? Optional.empty()
                        : Optional.of("'" + word + "' is not a whole number, as key column '" + column.name() + "' is ("
                                + column.dtype().id() + ")");
        };
    }

    /** @param taken two bits for each word: 0 string, 1 integer, 2 boolean */
    private static boolean encode(List<String> words, int taken, KeyEncoding encoding) {
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            switch ((taken >> (2 * i)) & 3) {
                case 0 -> encoding.string(word);
                case 1 -> {
                    if (!isWhole(word)) {
                        return false;
                    }
                    encoding.integer(Long.parseLong(word));
                }
                case 2 -> {
                    if (!word.equals("true") && !word.equals("false")) {
                        return false;
                    }
                    encoding.bool(word.equals("true"));
                }
                default -> {
                    return false;
                }
            }
        }
        return true;
    }

    private static boolean isWhole(String word) {
        if (!WHOLE.matcher(word).matches()) {
            return false;
        }
        try {
            Long.parseLong(word);
            return true;
        } catch (NumberFormatException e) {
            return false;
        }
    }
}
