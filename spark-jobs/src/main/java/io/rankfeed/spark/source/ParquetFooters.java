package io.rankfeed.spark.source;

import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.spark.run.ParquetTail;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Type;

/** The footers of a source, read by a few threads, and held against each other. */
final class ParquetFooters {
    private ParquetFooters() {}

    /** In the order of the files. @throws CorruptDataException for the first file, in that order, that is damaged */
    static List<ParquetFooter> read(List<SourceFile> files, Configuration conf) {
        return ParquetTail.ofEach(files, file -> ParquetFooter.read(file, conf));
    }

    /** @throws CorruptDataException if two files have other columns or types */
    static void refuseDrift(List<ParquetFooter> footers) {
        for (ParquetFooter footer : footers) {
            drift(footers.get(0), footer).ifPresent(what -> {
                throw new CorruptDataException(
                        footer.file().path().toString(),
                        what + "; give each shape a source of its own and join them in the job's SQL");
            });
        }
    }

    /** What a file has otherwise than the first one. */
    static Optional<String> drift(ParquetFooter first, ParquetFooter footer) {
        // The root's name is its writer's, and no column of anyone.
        return footer.schema().getFields().equals(first.schema().getFields())
                ? Optional.empty()
                : Optional.of("its schema differs from that of " + first.file().relative() + ": "
                        + difference(first.schema(), footer.schema()));
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
