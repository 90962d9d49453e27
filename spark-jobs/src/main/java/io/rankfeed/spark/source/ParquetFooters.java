package io.rankfeed.spark.source;

import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.EnvironmentException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Type;

/** The footers of a source, read by a few threads, and held against each other. */
final class ParquetFooters {
    private static final int THREADS = 8;

    private ParquetFooters() {}

    /** In the order of the files. @throws CorruptDataException for the first file, in that order, that is damaged */
    static List<ParquetFooter> read(List<SourceFile> files, Configuration conf) {
        ExecutorService threads = Executors.newFixedThreadPool(Math.min(THREADS, Math.max(1, files.size())));
        try {
            List<Future<ParquetFooter>> reading = files.stream()
                    .map(file -> threads.submit(() -> ParquetFooter.read(file, conf)))
                    .toList();
            List<ParquetFooter> footers = new ArrayList<>();
            for (Future<ParquetFooter> one : reading) {
                footers.add(one.get());
            }
            return footers;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new EnvironmentException("interrupted while reading footers", e);
        } finally {
            threads.shutdownNow();
        }
    }

    /** @throws CorruptDataException if two files have other columns or types */
    static void refuseDrift(List<ParquetFooter> footers) {
        for (ParquetFooter footer : footers) {
            ParquetFooter first = footers.get(0);
            // The root's name is its writer's, and no column of anyone.
            if (!footer.schema().getFields().equals(first.schema().getFields())) {
                throw new CorruptDataException(
                        footer.file().path().toString(),
                        "its schema differs from that of " + first.file().relative() + ": "
                                + difference(first.schema(), footer.schema())
                                + "; give each shape a source of its own and join them in the job's SQL");
            }
        }
    }

    private static String difference(MessageType first, MessageType other) {
        for (Type field : first.getFields()) {
            if (!other.containsField(field.getName())) {
                return "column '" + field.getName() + "' is missing";
            }
            Type its = other.getType(field.getName());
            if (!its.equals(field)) {
                return "column '" + field.getName() + "' is " + oneLine(its) + " here, " + oneLine(field) + " there";
            }
        }
        for (Type field : other.getFields()) {
            if (!first.containsField(field.getName())) {
                return "column '" + field.getName() + "' is there in addition";
            }
        }
        return "the same columns stand in another order, " + names(other) + " here, " + names(first) + " there";
    }

    private static String names(MessageType schema) {
        return schema.getFields().stream().map(Type::getName).toList().toString();
    }

    private static String oneLine(Type type) {
        return type.toString().replaceAll("\\s+", " ");
    }
}
