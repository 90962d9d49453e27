package io.rankfeed.spark.source;

import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.spark.run.ParquetTail;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.util.HadoopInputFile;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;

/** What the footers of checked Parquet files say of their rows. */
public final class FooterFacts {
    /** Under this key a footer holds its columns as Spark's own, in JSON. */
    public static final String SPARK_SCHEMA = "org.apache.spark.sql.parquet.row.metadata";

    private FooterFacts() {}

    /** The columns as their writer told Spark, if it did: what Spark would find by a job. */
    public static Optional<StructType> sparkSchema(Path file, Configuration conf) {
        return read(file, conf, reader -> Optional.ofNullable(
                        reader.getFileMetaData().getKeyValueMetaData().get(SPARK_SCHEMA))
                .map(json -> (StructType) DataType.fromJson(json)));
    }

    /** The columns that have none in any of the files; those of partitions, which are in no file, are not among them. */
    public static Set<String> nullFree(List<SourceFile> files, Configuration conf) {
        List<Set<String>> byFile = ParquetTail.ofEach(files, file -> read(file.path(), conf, FooterFacts::nullFree));
        Set<String> none = new HashSet<>(byFile.get(0));
        byFile.forEach(none::retainAll);
        return none;
    }

    /** How many rows each file has. */
    public static List<Long> rows(List<SourceFile> files, Configuration conf) {
        return ParquetTail.ofEach(files, file -> read(file.path(), conf, ParquetFileReader::getRecordCount));
    }

    private static Set<String> nullFree(ParquetFileReader reader) {
        Set<String> none = new HashSet<>();
        reader.getFileMetaData().getSchema().getFields().forEach(field -> none.add(field.getName()));
        for (BlockMetaData block : reader.getFooter().getBlocks()) {
            for (ColumnChunkMetaData chunk : block.getColumns()) {
                boolean told = chunk.getStatistics() != null
                        && chunk.getStatistics().isNumNullsSet()
                        && chunk.getStatistics().getNumNulls() == 0;
                if (!told && block.getRowCount() > 0) {
                    none.remove(chunk.getPath().toArray()[0]);
                }
            }
        }
        return none;
    }

    private static <T> T read(Path file, Configuration conf, Function<ParquetFileReader, T> facts) {
        try (ParquetFileReader reader = ParquetFileReader.open(HadoopInputFile.fromPath(file, conf))) {
            return facts.apply(reader);
        } catch (IOException e) {
            throw new EnvironmentException("cannot read " + file + ": " + e.getMessage(), e);
        } catch (RuntimeException e) {
            throw new CorruptDataException(
                    file.toString(), "its footer cannot be read: " + SparkFailures.firstLine(e), e);
        }
    }
}
