package io.rankfeed.spark.source.open;

import io.rankfeed.schema.config.Plural;
import io.rankfeed.schema.failure.ConfigException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Type;
import org.apache.parquet.schema.Type.Repetition;

/** The columns of Parquet files that are read as one table. Files need not all have the same: tables change. */
public final class FileColumns {
    private static final int MAX_NAMED_FILES = 3;

    private final String where;
    /** Files with the same columns, in the order of the first ones. */
    private final List<List<SourceFooter>> groups;

    private FileColumns(String where, List<List<SourceFooter>> groups) {
        this.where = where;
        this.groups = groups;
    }

    /**
     * Groups files by their columns.
     *
     * @param where the key of the job that names the files
     * @param footers at least one
     */
    public static FileColumns of(String where, List<SourceFooter> footers) {
        Map<List<Type>, List<SourceFooter>> groups = new LinkedHashMap<>();
        for (SourceFooter footer : footers) {
            groups.computeIfAbsent(footer.schema().getFields(), fields -> new ArrayList<>())
                    .add(footer);
        }
        return new FileColumns(where, List.copyOf(groups.values()));
    }

    /** The first file of each group of files with the same columns. */
    public List<SourceFooter> examples() {
        return groups.stream().map(group -> group.get(0)).toList();
    }

    /** Whether a file has other columns than another. */
    public boolean differ() {
        return groups.size() > 1;
    }

    /**
     * Checks that all files have the same columns, in any order.
     *
     * @param advice what a user can do
     * @throws ConfigException naming a column and two files
     */
    public void refuseDifferences(String advice) {
        TreeSet<String> names = new TreeSet<>();
        examples().forEach(file -> file.schema().getFields().forEach(field -> names.add(field.getName())));
        refuseDifferences(names, advice);
    }

    /** Does the same for some columns; those that no file has are ignored. */
    public void refuseDifferences(Collection<String> columns, String advice) {
        for (String column : columns) {
            SourceFooter first = groups.get(0).get(0);
            for (SourceFooter other : examples()) {
                Optional<Type> there = type(first, column);
                Optional<Type> here = type(other, column);
                if (!there.equals(here)) {
                    throw refused(
                            column,
                            here.map(FileColumns::oneLine).orElse("missing") + " in " + path(other) + " and "
                                    + there.map(FileColumns::oneLine).orElse("missing") + " in " + path(first) + "; "
                                    + advice);
                }
            }
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
        SourceFooter first = null;
        List<SourceFooter> without = new ArrayList<>();
        for (List<SourceFooter> group : groups) {
            SourceFooter file = group.get(0);
            if (type(file, column).isEmpty()) {
                without.addAll(group);
            } else if (first == null) {
                first = file;
            } else if (!definition(file, column).equals(definition(first, column))) {
                throw refused(
                        column,
                        definition(file, column) + " in " + path(file) + " and " + definition(first, column) + " in "
                                + path(first) + "; leave it out of the query, write the files again with one type, or"
                                + " give each type a source of its own and join them by UNION ALL in prepare.sql");
            }
        }
        return first == null || without.isEmpty() ? Optional.empty() : Optional.of(message(column, first, without));
    }

    private String message(String column, SourceFooter first, List<SourceFooter> without) {
        if (first.schema().getType(column).isRepetition(Repetition.REQUIRED)) {
            throw refused(
                    column,
                    "missing in " + path(without.get(0)) + " and required in " + path(first)
                            + "; leave it out of the query, or write one of them again: with the column, or with one"
                            + " that may be null");
        }
        int files = groups.stream().mapToInt(List::size).sum();
        long rows = without.stream().mapToLong(SourceFooter::rows).sum();
        return where + ": column '" + column + "' is null in " + Plural.counted(rows, "row") + " of " + without.size()
                + " of " + Plural.counted(files, "file") + ", which do not have it: "
                + without.stream()
                        .limit(MAX_NAMED_FILES)
                        .map(footer -> footer.file().relative())
                        .collect(Collectors.joining(", "))
                + (without.size() > MAX_NAMED_FILES ? " and " + (without.size() - MAX_NAMED_FILES) + " more" : "");
    }

    private static Optional<Type> type(SourceFooter file, String column) {
        MessageType schema = file.schema();
        return schema.containsField(column) ? Optional.of(schema.getType(column)) : Optional.empty();
    }

    /** The name and type of a column. Whether it may be null is not part of it. */
    private static String definition(SourceFooter file, String column) {
        return oneLine(file.schema().getType(column)).replaceFirst("^(required|optional) ", "");
    }

    static String oneLine(Type type) {
        return type.toString().replaceAll("\\s+", " ");
    }

    private static String path(SourceFooter footer) {
        return footer.file().path().toString();
    }

    private ConfigException refused(String column, String what) {
        return new ConfigException(where + ": column '" + column + "' is " + what);
    }
}
