package io.rankfeed.spark.source.folders;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroupFactory;
import org.apache.parquet.hadoop.ParquetReader;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.api.ReadSupport;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.hadoop.example.GroupReadSupport;
import org.apache.parquet.io.InputFile;
import org.apache.parquet.io.LocalInputFile;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;

/** A Parquet file that neither Spark nor rankfeed wrote or reads. */
final class ParquetFile {
    /** Reads single files, with no folder around them. */
    private static final class Reader extends ParquetReader.Builder<Group> {
        Reader(InputFile file) {
            super(file, new PlainParquetConfiguration());
        }

        @Override
        protected ReadSupport<Group> getReadSupport() {
            return new GroupReadSupport();
        }
    }

    private ParquetFile() {}

    static Path write(Path file, long firstId, int rows, int rowsPerGroup) {
        return write(file, firstId, rows, rowsPerGroup, "id");
    }

    /** @param name of the column of numbers; another column has the text {@code t<number>} */
    static Path write(Path file, long firstId, int rows, int rowsPerGroup, String name) {
        MessageType schema = MessageTypeParser.parseMessageType(
                "message m { required int64 " + name + "; optional binary text (STRING); }");
        SimpleGroupFactory groups = new SimpleGroupFactory(schema);
        try {
            Files.createDirectories(file.getParent());
            try (ParquetWriter<Group> writer = ExampleParquetWriter.builder(new LocalOutputFile(file))
                    .withConf(new PlainParquetConfiguration())
                    .withType(schema)
                    .withRowGroupRowCountLimit(rowsPerGroup)
                    .build()) {
                for (long id = firstId; id < firstId + rows; id++) {
                    writer.write(groups.newGroup().append(name, id).append("text", "t" + id));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return file;
    }

    /** The numbers in a file. */
    static List<Long> ids(Path file) {
        List<Long> ids = new ArrayList<>();
        try (ParquetReader<Group> reader = new Reader(new LocalInputFile(file)).build()) {
            for (Group row = reader.read(); row != null; row = reader.read()) {
                ids.add(row.getLong("id", 0));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return ids;
    }
}
