package io.rankfeed.spark.engine.orc;

import io.rankfeed.export.commit.StorageFailures;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.IoReason;
import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.orc.OrcFile;
import org.apache.orc.Reader;
import org.apache.orc.TypeDescription;
import org.apache.spark.sql.execution.datasources.orc.OrcUtils;
import org.apache.spark.sql.types.DataType;

/**
 * The content of the footer of an ORC file.
 *
 * @param written the types of the columns in ORC's words, in the order of the file
 * @param types in Spark, of the columns that have one
 */
public record OrcFooter(Map<String, String> written, Map<String, DataType> types, long rows) {
    /**
     * Reads a footer.
     *
     * @throws CorruptDataException if the file is damaged or not ORC
     * @throws EnvironmentException if it cannot be read
     */
    public static OrcFooter read(Path file, Configuration conf) {
        try (Reader reader = OrcFile.createReader(file, OrcFile.readerOptions(conf))) {
            TypeDescription schema = reader.getSchema();
            if (schema.getCategory() != TypeDescription.Category.STRUCT) {
                throw new CorruptDataException(file.toString(), "has rows of type " + schema + ", not of columns");
            }
            Map<String, String> written = new LinkedHashMap<>();
            Map<String, DataType> types = new HashMap<>();
            List<String> names = schema.getFieldNames();
            for (int i = 0; i < names.size(); i++) {
                TypeDescription type = schema.getChildren().get(i);
                written.put(names.get(i), type.toString());
                String name = names.get(i);
                spark(type).ifPresent(known -> types.put(name, known));
            }
            return new OrcFooter(written, types, reader.getNumberOfRows());
        } catch (CorruptDataException e) {
            throw e;
        } catch (IOException | RuntimeException e) {
            if (e instanceof IOException && StorageFailures.isUnavailable(e)) {
                throw new EnvironmentException(IoReason.of("cannot read " + file, e), e);
            }
            throw new CorruptDataException(
                    file.toString(), "is not a complete ORC file: " + StorageFailures.firstLine(e), e);
        }
    }

    private static Optional<DataType> spark(TypeDescription type) {
        try {
            return Optional.of(
                    OrcUtils.toCatalystSchema(TypeDescription.createStruct().addField("c", type.clone()))
                            .apply("c")
                            .dataType());
        } catch (Exception e) {
            // Scala throws checked exceptions without declaring them; here it is that Spark has no such type.
            return Optional.empty();
        }
    }
}
