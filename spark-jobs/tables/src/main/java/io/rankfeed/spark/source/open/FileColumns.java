package io.rankfeed.spark.source.open;

import io.rankfeed.schema.config.Plural;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.spark.source.open.ColumnedFile.Column;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The columns of files that are read as one table. Files need not all have the same: tables change.
 *
 * @param <F> of the files
 */
public final class FileColumns<F extends ColumnedFile> {
    private static final int MAX_NAMED_FILES = 3;
    private static final String COLUMN = ": column '";
    private static final String IS_NULL = "' is null in ";
    private static final String WITHOUT = ", which do not have it: ";
    private static final Pattern MISSING =
            Pattern.compile("\\S+" + COLUMN + ".*" + IS_NULL + ".*" + WITHOUT + ".*", Pattern.DOTALL);

    private final String where;
    /** Files with the same columns, in the order of the first ones. */
    private final List<List<F>> groups;

    private FileColumns(String where, List<List<F>> groups) {
        this.where = where;
        this.groups = groups;
    }

    /**
     * Groups files by their columns.
     *
     * @param where the key of the job that names the files
     * @param files at least one
     */
    public static <F extends ColumnedFile> FileColumns<F> of(String where, List<F> files) {
        Map<Object, List<F>> groups = new LinkedHashMap<>();
        for (F file : files) {
            groups.computeIfAbsent(file.sameColumns(), columns -> new ArrayList<>())
                    .add(file);
        }
        return new FileColumns<>(where, List.copyOf(groups.values()));
    }

    /** The first file of each group of files with the same columns. */
    public List<F> examples() {
        return groups.stream().map(group -> group.get(0)).toList();
    }

    /** Whether a file has other columns than another. */
    public boolean differ() {
        return groups.size() > 1;
    }

    /** Whether all files have the same columns, in any order, and all values the types of the files. */
    public boolean areAlike() {
        Set<String> names = names();
        F first = groups.get(0).get(0);
        return examples().stream().allMatch(file -> names.stream()
                .allMatch(name -> file.column(name).equals(first.column(name)) && !file.isConverted(name)));
    }

    /**
     * Checks that all files have the same columns, in any order.
     *
     * @param advice what a user can do
     * @throws ConfigException naming a column and two files
     */
    public void refuseDifferences(String advice) {
        refuseDifferences(names(), advice);
    }

    /** Whether a message is one of {@link #missing(Collection)}. */
    public static boolean isMissing(String message) {
        return MISSING.matcher(message).matches();
    }

    /** The names of all columns. */
    public Set<String> names() {
        Set<String> names = new TreeSet<>();
        examples().forEach(file -> file.columns().forEach(column -> names.add(column.name())));
        return names;
    }

    /** Does the same for some columns; those that no file has are ignored. */
    public void refuseDifferences(Collection<String> columns, String advice) {
        for (String column : columns) {
            F first = groups.get(0).get(0);
            for (F other : examples()) {
                Optional<Column> there = first.column(column);
                Optional<Column> here = other.column(column);
                if (!there.equals(here)) {
                    throw refused(
                            column,
                            here.map(Column::written).orElse("missing") + " in " + path(other) + " and "
                                    + there.map(Column::written).orElse("missing") + " in " + path(first) + "; "
                                    + advice);
                }
            }
        }
    }

    /**
     * Refuses columns whose values are read as another type than their files'.
     *
     * @throws ConfigException naming the first one
     */
    public void refuseConverted(Collection<String> columns, String advice) {
        for (F file : examples()) {
            columns.stream().filter(file::isConverted).findFirst().ifPresent(column -> {
                throw refused(column, type(file, column) + " in " + path(file) + "; " + advice);
            });
        }
    }

    /**
     * Checks columns that are read. Those that a file does not have are null in its rows.
     *
     * @return a message for each column that some files do not have
     * @throws ConfigException if a column has two types, or is missing in a file and required in another
     */
    public List<String> missing(Collection<String> columns) {
        return columns.stream().flatMap(column -> missing(column).stream()).toList();
    }

    private Optional<String> missing(String column) {
        F first = null;
        List<F> without = new ArrayList<>();
        for (List<F> group : groups) {
            F file = group.get(0);
            if (file.column(column).isEmpty()) {
                without.addAll(group);
            } else if (first == null) {
                first = file;
            } else if (!type(file, column).equals(type(first, column))) {
                throw refused(
                        column,
                        type(file, column) + " in " + path(file) + " and " + type(first, column) + " in "
                                + path(first) + "; leave it out of the query, write the files again with one type, or"
                                + " give each type a source of its own and join them by UNION ALL in prepare.sql");
            }
        }
        return first == null || without.isEmpty() ? Optional.empty() : Optional.of(message(column, first, without));
    }

    private String message(String column, F first, List<F> without) {
        if (first.column(column).orElseThrow().required()) {
            throw refused(
                    column,
                    "missing in " + path(without.get(0)) + " and required in " + path(first)
                            + "; leave it out of the query, or write one of them again: with the column, or with one"
                            + " that may be null");
        }
        int files = groups.stream().mapToInt(List::size).sum();
        boolean isCounted = without.stream().allMatch(file -> file.rows().isPresent());
        long rows = without.stream().mapToLong(file -> file.rows().orElse(0)).sum();
        return where + COLUMN + column + IS_NULL
                + (isCounted ? Plural.counted(rows, "row") : "all rows") + " of " + without.size()
                + " of " + Plural.counted(files, "file") + WITHOUT
                + without.stream()
                        .limit(MAX_NAMED_FILES)
                        .map(file -> file.file().relative())
                        .collect(Collectors.joining(", "))
                + (without.size() > MAX_NAMED_FILES ? " and " + (without.size() - MAX_NAMED_FILES) + " more" : "");
    }

    private static String type(ColumnedFile file, String column) {
        return file.column(column).orElseThrow().type();
    }

    private static String path(ColumnedFile file) {
        return file.file().path().toString();
    }

    private ConfigException refused(String column, String what) {
        return new ConfigException(where + COLUMN + column + "' is " + what);
    }
}
