package io.rankfeed.spark.sample.select;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.concat_ws;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.max;
import static org.apache.spark.sql.functions.min;

import io.rankfeed.job.PlannedList;
import io.rankfeed.schema.config.Plural;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.Suggestion;
import io.rankfeed.spark.engine.Columns;
import io.rankfeed.spark.engine.ConfigErrors;
import io.rankfeed.spark.sample.table.TableOrder;
import io.rankfeed.spark.source.ListFiles;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.DataType;

/**
 * The rows that a feed's list names, each with its position in the list ({@link ListFiles#ENTRY}).
 *
 * @param keys the key of a row and of an entry, column by column
 */
record ListedRows(ListFiles files, Dataset<Row> rows, List<Column> keys, Dataset<Row> entries) {
    private static final String ENTRY = "__rf_entry";
    private static final String KEY = "__rf_key";
    private static final String SHOWN = "__rf_shown";
    private static final int SHOWN_ENTRIES = 5;

    /**
     * @param entries the list's columns and {@link ListFiles#ENTRY}
     * @param key the job's
     * @param rows of the feed; with {@link TableOrder#INDEX} where the list is of numbers
     * @throws ConfigException naming entries that are no key, are duplicated or are in no row, with their lines or rows
     */
    static Dataset<Row> of(
            ListFiles files, Dataset<Row> entries, PlannedList list, List<String> key, Dataset<Row> rows) {
        boolean byIndex = list.of() == PlannedList.Of.INDEX;
        List<Column> keys = byIndex
                ? List.of(index(files, rows))
                : key.stream().map(Columns::named).toList();
        List<String> columns = columns(files, entries, list, key);
        List<Column> chosen = new ArrayList<>();
        for (int i = 0; i < keys.size(); i++) {
            DataType type = rows.select(keys.get(i)).schema().apply(0).dataType();
            chosen.add(Columns.named(columns.get(i)).try_cast(type).as(ENTRY + i));
        }
        chosen.add(concat_ws(
                        "/",
                        columns.stream()
                                .map(name -> Columns.named(name).cast("string"))
                                .toArray(Column[]::new))
                .as(SHOWN));
        chosen.add(col(ListFiles.ENTRY));
        return new ListedRows(files, rows, keys, entries.select(chosen.toArray(Column[]::new))).listed();
    }

    /** The columns of the list that hold its entries. */
    private static List<String> columns(ListFiles files, Dataset<Row> entries, PlannedList list, List<String> key) {
        if (list.of() == PlannedList.Of.KEY && key.isEmpty()) {
            throw new ConfigException(
                    files.displayName() + " lists keys, but the job has no prepare.key; write it, or of:"
                            + " index and row numbers of the prepared table");
        }
        boolean several = list.of() == PlannedList.Of.KEY && key.size() > 1;
        if (several && (list.text().isPresent() || list.column().isPresent())) {
            throw new ConfigException(files.displayName() + ": the key has " + key.size()
                    + " columns; give a Parquet list that has columns of their names, without column:");
        }
        List<String> columns = list.text().isPresent()
                ? List.of(ListFiles.TEXT)
                : list.column().map(List::of).orElse(list.of() == PlannedList.Of.KEY ? key : List.of("index"));
        List<String> known = Arrays.stream(entries.columns())
                .filter(name -> !name.equals(ListFiles.ENTRY))
                .toList();
        for (String column : columns) {
            if (!known.contains(column)) {
                throw new ConfigException(
                        files.displayName() + " has no column '" + column + "'" + Suggestion.hint(column, known));
            }
        }
        return columns;
    }

    /** The number of a row in the prepared table. */
    private static Column index(ListFiles files, Dataset<Row> rows) {
        if (!List.of(rows.columns()).contains(TableOrder.INDEX)) {
            throw new ConfigException(files.displayName()
                    + " lists row numbers of the prepared table, which does not exist; run prepare first");
        }
        return col(TableOrder.INDEX);
    }

    private Dataset<Row> listed() {
        Column[] entry =
                IntStream.range(0, keys.size()).mapToObj(i -> col(ENTRY + i)).toArray(Column[]::new);
        Column missing = Arrays.stream(entry).map(Column::isNull).reduce(lit(false), Column::or);
        ConfigErrors errors = new ConfigErrors();
        errors.check(() -> refuse(
                entries.where(missing),
                "entry is not a value of the key's type",
                "entries are no values of the key's type"));
        errors.check(() -> refuse(
                entries.groupBy(entry)
                        .agg(
                                count(lit(1)).as("times"),
                                min(SHOWN).as(SHOWN),
                                max(ListFiles.ENTRY).as(ListFiles.ENTRY))
                        .where(col("times")
                                .gt(1)
                                .and(Arrays.stream(entry).map(Column::isNotNull).reduce(lit(true), Column::and))),
                "entry is listed twice",
                "entries are listed twice"));
        errors.check(() -> refuse(
                entries.where(missing.equalTo(false)).join(keyed(), joined(), "left_anti"),
                "entry is in no row of the feed",
                "entries are missing in the feed"));
        errors.throwIfAny();
        return rows.join(
                        entries.drop(SHOWN),
                        IntStream.range(0, keys.size())
                                .mapToObj(i -> keys.get(i).equalTo(col(ENTRY + i)))
                                .reduce(Column::and)
                                .orElseThrow())
                .drop(IntStream.range(0, keys.size()).mapToObj(i -> ENTRY + i).toArray(String[]::new))
                .drop(TableOrder.INDEX);
    }

    private Dataset<Row> keyed() {
        return rows.select(IntStream.range(0, keys.size())
                .mapToObj(i -> keys.get(i).as(KEY + i))
                .toArray(Column[]::new));
    }

    private Column joined() {
        return IntStream.range(0, keys.size())
                .mapToObj(i -> col(KEY + i).equalTo(col(ENTRY + i)))
                .reduce(Column::and)
                .orElseThrow();
    }

    private void refuse(Dataset<Row> entriesOrNone, String one, String more) {
        List<Row> some = entriesOrNone
                .select(SHOWN, ListFiles.ENTRY)
                .orderBy(ListFiles.ENTRY)
                .limit(SHOWN_ENTRIES)
                .collectAsList();
        if (!some.isEmpty()) {
            long all = some.size() < SHOWN_ENTRIES ? some.size() : entriesOrNone.count();
            throw new ConfigException(files.displayName() + ": " + Plural.counted(all, one, more) + ": "
                    + some.stream()
                            .map(row -> "'" + row.getString(0) + "' (" + files.describe(row.getLong(1)) + ")")
                            .collect(Collectors.joining(", "))
                    + (all > some.size() ? ", …" : "") + "; correct the list");
        }
    }
}
