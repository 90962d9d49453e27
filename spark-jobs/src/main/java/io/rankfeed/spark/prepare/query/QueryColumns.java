package io.rankfeed.spark.prepare.query;

import io.rankfeed.job.PrepareSection;
import io.rankfeed.job.TensorSection;
import io.rankfeed.schema.config.Plural;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.Suggestion;
import io.rankfeed.schema.mixture.ReservedNames;
import io.rankfeed.spark.engine.parquet.RowChecksum;
import io.rankfeed.spark.file.RowAddress;
import io.rankfeed.spark.prepare.pack.PreparedColumn;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/** The columns of a query's result as those of a prepared table, and the columns that the job names among them. */
final class QueryColumns {
    /** Where messages advise a change of the query. */
    private static final String SQL = "the job's SQL";

    private QueryColumns() {}

    /** @throws ConfigException naming every column that cannot be prepared, or the first that the job names wrongly */
    static List<PreparedColumn> of(StructType result, PrepareSection section, Map<String, TensorSection> tensors) {
        List<PreparedColumn> columns = new ArrayList<>();
        List<ConfigException> unsupported = new ArrayList<>();
        Set<String> names = new TreeSet<>();
        for (StructField field : result.fields()) {
            String name = field.name();
            if (name.equals(RowAddress.FILE) || name.equals(RowAddress.ROW)) {
                continue;
            }
            try {
                checkName(name);
                if (!names.add(name.toLowerCase(Locale.ROOT))) {
                    throw new ConfigException(
                            "duplicate column '" + name + "' in the query's result; rename one in " + SQL + " with AS");
                }
                PreparedColumn column = PreparedColumn.of(field, tensors.get(name));
                columns.add(section.petastorm() ? column.asPetastorm() : column);
            } catch (ConfigException e) {
                unsupported.add(e);
            }
        }
        if (!unsupported.isEmpty()) {
            String faults =
                    unsupported.stream().map(ConfigException::getMessage).collect(Collectors.joining("; "));
            throw new ConfigException((unsupported.size() == 1
                            ? ""
                            : Plural.counted(unsupported.size(), "column") + " cannot be prepared: ")
                    + faults
                    + (section.rewrite().isPresent() && faults.contains(SQL) ? InPlaceSource.NO_SQL : ""));
        }
        if (columns.isEmpty()) {
            throw new ConfigException("prepare: the query's result has no columns; check that its sources have some");
        }
        tensors.keySet().forEach(name -> find(columns, "prepare.tensors", name));
        section.key().forEach(name -> find(columns, "prepare.key", name).requireKeyType());
        section.clusterBy().forEach(name -> checkClusterBy(find(columns, "prepare.cluster-by", name)));
        return columns;
    }

    private static void checkName(String name) {
        if (name.equalsIgnoreCase(RowChecksum.COLUMN)
                || name.toLowerCase(Locale.ROOT).startsWith("__rf_")) {
            throw new ConfigException("column '" + name + "' has a reserved name; rename it in " + SQL + " with AS");
        }
        ReservedNames.fault(name).ifPresent(fault -> {
            throw new ConfigException("column '" + name + "' " + fault + "; rename it in " + SQL + " with AS");
        });
    }

    private static PreparedColumn find(List<PreparedColumn> columns, String where, String name) {
        return columns.stream()
                .filter(column -> column.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new ConfigException(where + ": no column '" + name + "' in the query's result"
                        + Suggestion.hint(
                                name, columns.stream().map(PreparedColumn::name).toList())));
    }

    private static void checkClusterBy(PreparedColumn column) {
        if (column.isPacked()) {
            throw new ConfigException("prepare.cluster-by: column '" + column.name()
                    + "' is a tensor, which has no order; name columns of numbers, texts or booleans");
        }
    }
}
