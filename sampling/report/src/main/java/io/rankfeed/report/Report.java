package io.rankfeed.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The report about a path: the answer in a few lines, facts by name, then tables, in order, and pictures. {@link
 * ReportText} and {@link ReportJson} show the same report. Values are strings, integers, longs, doubles, {@link Bytes}, lists of
 * strings, or {@link #NONE}.
 */
public final class Report {
    private static final int MAX_LISTED = 8;

    /** A value that is not there. */
    public static final Absent NONE = Absent.VALUE;

    /** The type of {@link #NONE}. */
    enum Absent {
        VALUE;

        @Override
        public String toString() {
            return "-";
        }
    }

    private final Map<String, Object> facts = new LinkedHashMap<>();
    private final Map<String, Table> tables = new LinkedHashMap<>();
    private final Map<String, Picture> pictures = new LinkedHashMap<>();
    private final List<String> answers = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private final List<String> damages = new ArrayList<>();

    /** A number of bytes: a number in JSON, a size for users. */
    public record Bytes(long count) {}

    /**
     * A table.
     *
     * @param columns names, fit for JSON
     * @param ownColumns the number of columns, the first ones, whose names are of this project; the others are of the data
     * @param rows as many values as columns
     */
    public record Table(List<String> columns, int ownColumns, List<List<Object>> rows) {
        public Table(String... columns) {
            this(List.of(columns), columns.length, new ArrayList<>());
        }

        /** A column's name for users. */
        String heading(int column) {
            return column < ownColumns ? Page.words(columns.get(column)) : columns.get(column);
        }

        public Table {
            columns = List.copyOf(columns);
        }

        public void add(Object... values) {
            add(List.of(values));
        }

        public void add(List<Object> values) {
            if (values.size() != columns.size()) {
                throw new IllegalArgumentException(values.size() + " values for the columns " + columns);
            }
            rows.add(List.copyOf(values));
        }
    }

    public Report fact(String name, Object value) {
        facts.put(name, value);
        return this;
    }

    /** A line for users that comes before the facts, and without {@code --verbose} instead of them. */
    public Report answer(String line) {
        answers.add(line);
        return this;
    }

    List<String> answers() {
        return answers;
    }

    /** The first names of a list that may be long. */
    public static String listed(List<String> names) {
        String shown = String.join(", ", names.subList(0, Math.min(MAX_LISTED, names.size())));
        return names.size() > MAX_LISTED ? shown + ", … and " + (names.size() - MAX_LISTED) + " more" : shown;
    }

    /** The table of this name, to be filled; names are unique. */
    public Table table(String name, String... columns) {
        return table(name, new Table(columns));
    }

    public Table table(String name, Table table) {
        tables.put(name, table);
        return table;
    }

    /** A picture of this name. */
    public void picture(String name, Picture picture) {
        pictures.put(name, picture);
    }

    /** A line for users that is not in the JSON. */
    public void note(String line) {
        notes.add(line);
    }

    List<String> notes() {
        return notes;
    }

    /** Something of what is reported is damaged, and the rest is reported all the same. */
    public void damage(String what) {
        damages.add(what);
    }

    public List<String> damages() {
        return damages;
    }

    /** Whether the report has neither facts nor tables; it may still list corrupted files. */
    public boolean isEmpty() {
        return facts.isEmpty() && tables.isEmpty();
    }

    public Map<String, Picture> pictures() {
        return pictures;
    }

    public Map<String, Object> facts() {
        return facts;
    }

    public Map<String, Table> tables() {
        return tables;
    }
}
