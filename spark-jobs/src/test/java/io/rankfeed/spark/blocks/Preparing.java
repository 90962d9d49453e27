package io.rankfeed.spark.blocks;

import io.rankfeed.job.JobFile;
import io.rankfeed.spark.prepare.Prepare;
import io.rankfeed.spark.run.JobContext;
import io.rankfeed.spark.run.LocalSpark;
import io.rankfeed.spark.run.Notes;
import io.rankfeed.spark.run.PreparedTable;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;

/** Runs of {@code prepare} onto an HDFS. */
final class Preparing {
    private static final Pattern ENCODES = Pattern.compile("([0-9.]+) encodes each$");

    private final Hdfs hdfs;

    Preparing(Hdfs hdfs) {
        this.hdfs = hdfs;
        // One data node: no file waits for copies.
        session().sparkContext().hadoopConfiguration().setInt("dfs.replication", 1);
    }

    static SparkSession session() {
        return LocalSpark.current(3);
    }

    /** A prepared table, and what was reported meanwhile. */
    record Outcome(PreparedTable table, List<String> notes) {
        Path data() {
            return new Path(table.path(), "data");
        }

        double encodesPerRowGroup() {
            return notes.stream()
                    .map(ENCODES::matcher)
                    .filter(Matcher::find)
                    .mapToDouble(found -> Double.parseDouble(found.group(1)))
                    .findFirst()
                    .orElseThrow();
        }
    }

    /** @param lines of the section prepare */
    Outcome run(java.nio.file.Path input, String lines) {
        String yaml = "dataset: blocks\nroot: '" + hdfs.uri("/rankfeed") + "'\nsources:\n  t: {parquet: '" + input
                + "'}\nprepare:\n  select: {from: t}\n" + lines.indent(2);
        Notes notes = new Notes();
        PreparedTable table = Prepare.run(JobContext.of(
                session(), JobFile.read("test.yaml", yaml.getBytes(StandardCharsets.UTF_8), List.of()), notes));
        return new Outcome(table, notes.lines());
    }

    /** The same by Spark's own writer, configured to write row groups of a block, in files of such blocks. */
    static void stock(Dataset<Row> rows, String target, long blockBytes, String codec) {
        rows.write()
                .mode(SaveMode.Overwrite)
                .option("compression", codec)
                .option("parquet.block.size", blockBytes)
                .option("dfs.blocksize", blockBytes)
                // Else the client that is there is taken, with the blocks that it knew.
                .option("fs.hdfs.impl.disable.cache", true)
                .parquet(target);
    }
}
