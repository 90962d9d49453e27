package io.rankfeed.spark.init;

import io.rankfeed.job.SourceSection.Kind;
import io.rankfeed.spark.engine.Columns;
import io.rankfeed.spark.init.DraftColumn.Use;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.IntegralType;

/**
 * The content of a first job over a table: its columns, the key of a row, and the feeds among which rows are divided.
 *
 * @param key columns of the prepared table; empty where rows are identified by their file and row number
 * @param part expression that says which part a row is of; empty where all rows train
 * @param parts names of the training part and of the others
 * @param schema of the source; empty where its files have their types
 * @param inPlace that rows stay in the files of the table, as nothing has to be made of them
 */
public record Draft(
        TableLocation location,
        TableProfile profile,
        List<DraftColumn> columns,
        List<String> key,
        String part,
        List<String> parts,
        String schema,
        boolean inPlace) {
    static final String SPLIT = "split";

    private static final int MIN_ROWS_TO_PART = 50;
    private static final int MAX_STRATA = 20;
    private static final String NEW_PARTS = "train=90, valid=10";

    public Draft {
        columns = List.copyOf(columns);
        key = List.copyOf(key);
        parts = List.copyOf(parts);
    }

    /** @param stays whether the files let rows stay in them, and no other key was asked for */
    static Draft of(TableLocation location, TableProfile profile, String schema, boolean stays) {
        List<DraftColumn> columns = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (ColumnProfile column : profile.columns()) {
            boolean isPlain =
                    profile.key().contains(column.name()) || column.name().equals(profile.split());
            DraftColumn draft = DraftColumn.of(column, profile.rows(), isPlain);
            String name = draft.name();
            for (int i = 2; !names.add(name.toLowerCase(Locale.ROOT)); i++) {
                name = draft.name() + "_" + i;
            }
            columns.add(new DraftColumn(column, name, draft.expression(), draft.use()));
        }
        List<String> key = profile.key().stream()
                .map(given -> columns.stream()
                        .filter(column -> column.profile().name().equals(given))
                        .findFirst()
                        .orElseThrow()
                        .name())
                .toList();
        boolean inPlace = stays && columns.stream().allMatch(DraftColumn::isAsStored);
        if (!profile.split().isEmpty()) {
            return new Draft(location, profile, columns, key, "", profile.splits(), schema, inPlace);
        } else if (profile.rows() < MIN_ROWS_TO_PART) {
            return new Draft(location, profile, columns, key, "", List.of(), schema, inPlace);
        }
        List<String> different = location.kind() == Kind.BINARY ? List.of("path") : profile.different();
        String hashed = different.stream().map(Columns::quoted).collect(Collectors.joining(", "));
        return hashed.isEmpty()
                ? new Draft(location, profile, columns, key, "", List.of(), schema, inPlace)
                : new Draft(
                        location,
                        profile,
                        columns,
                        key,
                        "rf_split('" + NEW_PARTS + "', " + hashed + ")",
                        List.of("train", "valid"),
                        schema,
                        inPlace);
    }

    /** The condition that a row is of a part. Rows in place have no column of their own for it. */
    String isOf(String part) {
        String of = inPlace && !this.part.isEmpty() ? this.part : partColumn();
        return of + " = '" + part.replace("'", "''") + "'";
    }

    /** The column of the prepared table that says a row's part. */
    String partColumn() {
        if (!part.isEmpty()) {
            return columns.stream().anyMatch(column -> column.name().equalsIgnoreCase(SPLIT)) ? "part" : SPLIT;
        }
        return columns.stream()
                .filter(column -> column.profile().name().equals(profile.split()))
                .map(DraftColumn::name)
                .findFirst()
                .orElse("");
    }

    /** Whether it is a folder of images in which the first folder of every path is a label. */
    boolean hasLabelFolders() {
        return location.kind() == Kind.BINARY
                && profile.columns().stream()
                        .filter(column -> column.name().equals("path"))
                        .flatMap(column -> column.samples().stream())
                        .allMatch(path -> path.toString().contains("/"));
    }

    List<DraftColumn> of(Use use) {
        return columns.stream().filter(column -> column.use() == use).toList();
    }

    /** Columns by whose values rows may be balanced. */
    List<String> strata() {
        if (location.kind() == Kind.BINARY) {
            return hasLabelFolders() ? List.of("label") : List.of();
        }
        return columns.stream()
                .filter(column -> column.use() == Use.LABEL
                        || column.profile().type() instanceof BooleanType
                        || column.profile().type() instanceof IntegralType)
                .filter(column -> column.profile().distinct() >= 2
                        && column.profile().distinct() <= MAX_STRATA
                        && column.profile().nulls() == 0)
                .map(DraftColumn::name)
                .filter(name -> !key.contains(name))
                .toList();
    }
}
