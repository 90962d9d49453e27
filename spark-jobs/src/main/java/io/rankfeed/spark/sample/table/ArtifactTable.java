package io.rankfeed.spark.sample.table;

import io.rankfeed.export.commit.Storage;
import io.rankfeed.export.parquet.ParquetFooter;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.IoReason;
import io.rankfeed.schema.manifest.ArtifactFile;
import io.rankfeed.spark.engine.SourceFiles;
import io.rankfeed.spark.engine.parquet.ParquetTypes;
import io.rankfeed.spark.engine.parquet.ReaderBatch;
import io.rankfeed.spark.run.JobContext;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.DataFrameReader;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/** Parquet files of an artifact as a frame: only those that its manifest lists, and only whole. */
public final class ArtifactTable {
    private ArtifactTable() {}

    /** @throws CorruptDataException if a file is missing or has another length; a flipped bit is found when it is read */
    public static Dataset<Row> read(JobContext context, Path folder, List<ArtifactFile> files) {
        DataFrameReader reader = checked(context, folder, files);
        ReaderBatch.fit(
                context.spark(),
                files.stream()
                        .mapToLong(file ->
                                ReaderBatch.rowBytes(file.bytes(), file.rows().orElse(1L)))
                        .max()
                        .orElse(0));
        List<String> paths = paths(folder, files);
        return ParquetTypes.stored(ParquetFooter.read(new Path(paths.get(0)), context.hadoop()))
                .map(reader::schema)
                .orElse(reader)
                .parquet(paths.toArray(String[]::new));
    }

    /** The rows of plan files, whose columns need no look into a file. */
    public static Dataset<Row> planRows(JobContext context, Path folder, List<ArtifactFile> files) {
        return checked(context, folder, files)
                .schema(PlanRow.COLUMNS)
                .parquet(paths(folder, files).toArray(String[]::new));
    }

    private static DataFrameReader checked(JobContext context, Path folder, List<ArtifactFile> files) {
        FileSystem fs = Storage.of(folder, context.hadoop());
        files.forEach(file -> check(fs, new Path(folder, file.path().value()), file.bytes()));
        // Every file that we write has page checksums.
        return SourceFiles.reader(context.spark()).option("parquet.page.verify-checksum.enabled", "true");
    }

    public static List<String> paths(Path folder, List<ArtifactFile> files) {
        return files.stream()
                .map(file -> new Path(folder, file.path().value()).toString())
                .toList();
    }

    private static void check(FileSystem fs, Path file, long lengthBytes) {
        try {
            long actual = fs.getFileStatus(file).getLen();
            if (actual != lengthBytes) {
                throw new CorruptDataException(
                        file.toString(),
                        Math.min(actual, lengthBytes),
                        "has " + actual + " bytes where its manifest lists " + lengthBytes
                                + "; remove the folder and run the job again");
            }
        } catch (FileNotFoundException e) {
            throw new CorruptDataException(
                    file.toString(),
                    "is listed by its manifest and does not exist; remove the folder and run the job again",
                    e);
        } catch (IOException e) {
            throw new EnvironmentException(IoReason.of(file + ": cannot be read", e), e);
        }
    }
}
