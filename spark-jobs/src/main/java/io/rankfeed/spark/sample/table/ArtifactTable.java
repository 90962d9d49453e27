package io.rankfeed.spark.sample.table;

import io.rankfeed.export.commit.Storage;
import io.rankfeed.export.parquet.ParquetFooter;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.IoReason;
import io.rankfeed.schema.manifest.ArtifactFile;
import io.rankfeed.schema.manifest.Input;
import io.rankfeed.spark.engine.parquet.ArtifactFooters;
import io.rankfeed.spark.engine.parquet.ListedFiles;
import io.rankfeed.spark.engine.parquet.ParquetTypes;
import io.rankfeed.spark.engine.parquet.ReaderBatch;
import io.rankfeed.spark.file.ContentDigests;
import io.rankfeed.spark.file.SourceFile;
import io.rankfeed.spark.run.JobContext;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.parquet.schema.MessageType;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.StructType;

/** Parquet files of an artifact as a frame: only those that its manifest lists, and only whole. */
public final class ArtifactTable {
    private ArtifactTable() {}

    /** @throws CorruptDataException if a file is missing or has another length; a flipped bit is found when it is read */
    public static Dataset<Row> read(JobContext context, Path folder, List<ArtifactFile> files) {
        List<FileStatus> found = checked(context, folder, files);
        ReaderBatch.fit(
                context.spark(),
                files.stream()
                        .mapToLong(file ->
                                ReaderBatch.rowBytes(file.bytes(), file.rows().orElse(1L)))
                        .max()
                        .orElse(0));
        ParquetFooter first = ParquetFooter.read(found.get(0).getPath(), context.hadoop());
        StructType stored =
                ParquetTypes.stored(first).orElseGet(() -> ListedFiles.stored(context.spark(), found.get(0)));
        return rows(context, folder, files, found, stored, first.schema());
    }

    /**
     * The rows of plan files. Plan files have no page checksums, so each file is first compared with its digest.
     *
     * @throws CorruptDataException if a file is not the one that the manifest lists
     */
    public static Dataset<Row> planRows(JobContext context, Path folder, List<ArtifactFile> files) {
        List<FileStatus> found = checked(context, folder, files);
        List<Input.InputFile> digests = ContentDigests.of(
                context.spark(),
                context.hadoop(),
                found.stream()
                        .map(file -> new SourceFile(file, file.getPath().getName()))
                        .toList());
        for (int i = 0; i < files.size(); i++) {
            if (!digests.get(i).sha256().equals(files.get(i).sha256())) {
                throw new CorruptDataException(
                        found.get(i).getPath().toString(),
                        "does not have the SHA-256 that its manifest lists; remove the folder and run the job again");
            }
        }
        return rows(context, folder, files, found, PlanRow.COLUMNS, PlanRow.SCHEMA);
    }

    private static Dataset<Row> rows(
            JobContext context,
            Path folder,
            List<ArtifactFile> files,
            List<FileStatus> found,
            StructType stored,
            MessageType schema) {
        Map<Path, Long> rows = new HashMap<>();
        for (int i = 0; i < files.size(); i++) {
            rows.put(found.get(i).getPath(), files.get(i).rows().orElseThrow());
        }
        return ListedFiles.rows(context.spark(), folder, stored, found, ArtifactFooters.of(rows, schema.toString()));
    }

    private static List<FileStatus> checked(JobContext context, Path folder, List<ArtifactFile> files) {
        FileSystem fs = Storage.of(folder, context.hadoop());
        return files.stream()
                .map(file ->
                        check(fs, fs.makeQualified(new Path(folder, file.path().value())), file.bytes()))
                .toList();
    }

    private static FileStatus check(FileSystem fs, Path file, long lengthBytes) {
        try {
            FileStatus status = fs.getFileStatus(file);
            long actual = status.getLen();
            if (actual != lengthBytes) {
                throw new CorruptDataException(
                        file.toString(),
                        Math.min(actual, lengthBytes),
                        "has " + actual + " bytes where its manifest lists " + lengthBytes
                                + "; remove the folder and run the job again");
            }
            return status;
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
