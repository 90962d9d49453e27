package io.rankfeed.feeder.cli;

import io.rankfeed.schema.digest.KeyEncoding;
import io.rankfeed.schema.failure.ConfigException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a user calls a row: its row id, the values of its key (a version does not know their types, so each is taken for
 * every type that it can be), or its source file and row.
 *
 * @param rowIds any of these
 * @param source index of the source file, −1 where none is named
 * @param sourceRow row in it
 */
record RowKey(Set<Long> rowIds, int source, long sourceRow) {
    private static final int MOST_COLUMNS = 12;
    private static final Pattern WHOLE = Pattern.compile("-?[0-9]{1,19}");
    private static final Pattern PLACE = Pattern.compile("(.+?) *: *([0-9]{1,18}) *");

    /**
     * @param words one for each key column
     * @param sources names of the version's source files
     */
    static RowKey of(List<String> words, List<String> sources) {
        if (words.size() > MOST_COLUMNS) {
            throw new ConfigException("--row: a key of " + words.size() + " columns; at most " + MOST_COLUMNS);
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
        Matcher place = PLACE.matcher(first);
        boolean named = words.size() == 1 && place.matches() && sources.contains(place.group(1));
        return new RowKey(
                ids, named ? sources.indexOf(place.group(1)) : -1, named ? Long.parseLong(place.group(2)) : -1);
    }

    boolean is(long rowId, int rowSource, long rowInSource) {
        return rowIds.contains(rowId) || (source >= 0 && rowSource == source && rowInSource == sourceRow);
    }

    /** @param taken two bits a word: string, integer, boolean */
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
