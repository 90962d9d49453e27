package io.rankfeed.spark.engine;

import io.rankfeed.schema.config.ByteSize;
import io.rankfeed.schema.config.Plural;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.TableIdentifier;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.execution.FileSourceScanExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.datasources.HadoopFsRelation;
import org.apache.spark.sql.hive.execution.HiveTableScanExec;
import scala.Option;
import scala.collection.immutable.Nil$;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Finds what Spark would read of each table for a query, after it pruned partitions and columns. No data is read for
 * it.
 */
public final class Scans {
    private Scans() {}

    /** A line for each scan that differs; sources that Spark does not plan (JSON lines) have none. */
    public static List<String> of(SparkSession spark, Dataset<Row> query) {
        List<String> lines = new ArrayList<>();
        for (SparkPlan leaf :
                CollectionConverters.asJava(query.queryExecution().sparkPlan().collectLeaves())) {
            if (leaf instanceof FileSourceScanExec scan) {
                lines.add(files(spark, scan));
            } else if (leaf instanceof HiveTableScanExec scan) {
                lines.add(hive(spark, scan));
            }
        }
        return lines.stream().distinct().toList();
    }

    private static String files(SparkSession spark, FileSourceScanExec scan) {
        HadoopFsRelation relation = scan.relation();
        Option<TableIdentifier> table = scan.tableIdentifier();
        // Of a table of the metastore the relation has what is left; a folder's is whole.
        int partitions = table.isDefined()
                ? partitions(spark, table.get())
                : relation.location().listFiles(none(), none()).size();
        String pruned = relation.partitionSchema().isEmpty()
                ? ""
                : String.format(
                        Locale.ROOT,
                        "%,d of %s, ",
                        scan.selectedPartitions().partitionCount(),
                        Plural.counted(partitions, "partition"));
        return String.format(
                Locale.ROOT,
                "%s: %s%s, %s in files",
                table.isDefined()
                        ? name(table.get())
                        : relation.location().rootPaths().head().toString(),
                pruned,
                columns(scan.output(), relation.dataSchema().fieldNames()),
                ByteSize.rounded(scan.selectedPartitions().totalFileSize()));
    }

    private static String hive(SparkSession spark, HiveTableScanExec scan) {
        TableIdentifier table = scan.relation().tableMeta().identifier();
        Option<?> left = scan.relation().prunedPartitions();
        int partitions = scan.relation().isPartitioned() ? partitions(spark, table) : 0;
        int chosen = left.isDefined() ? ((Seq<?>) left.get()).size() : partitions;
        String pruned = scan.relation().isPartitioned()
                ? String.format(Locale.ROOT, "%,d of %s, ", chosen, Plural.counted(partitions, "partition"))
                : "";
        return name(table) + ": " + pruned
                + columns(
                        scan.output(), scan.relation().tableMeta().dataSchema().fieldNames());
    }

    private static int partitions(SparkSession spark, TableIdentifier table) {
        return spark.sessionState()
                .catalog()
                .listPartitionNames(table, Option.empty())
                .size();
    }

    /** Counts the columns that are read from files; partition columns and the address of a row cost nothing. */
    private static String columns(Seq<Attribute> read, String[] stored) {
        Set<String> known = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        known.addAll(Arrays.asList(stored));
        long count = CollectionConverters.asJava(read).stream()
                .filter(column -> known.contains(column.name()))
                .count();
        return String.format(Locale.ROOT, "%,d of %s", count, Plural.counted(stored.length, "column"));
    }

    private static String name(TableIdentifier table) {
        return table.database().isDefined() ? table.database().get() + "." + table.table() : table.table();
    }

    @SuppressWarnings("unchecked")
    private static <T> Seq<T> none() {
        return (Seq<T>) Nil$.MODULE$;
    }
}
