package io.rankfeed.spark.engine.parquet;

import java.util.ArrayList;
import java.util.List;
import org.apache.parquet.hadoop.metadata.ColumnPath;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.Type;
import org.apache.spark.sql.execution.datasources.parquet.ParquetColumn;
import org.apache.spark.sql.execution.datasources.parquet.ParquetReadSupport$;
import org.apache.spark.sql.execution.datasources.parquet.ParquetToSparkSchemaConverter;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import scala.Option;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Values of a file, at any depth of a column, and the type that Spark reads them as.
 *
 * @param path of the values in the file
 */
public record ReadValues(ColumnPath path, PrimitiveType stored, DataType type) {
    /** Returns the values of columns that are read, each as the type of a table's column. Names are case-insensitive, as in Spark. */
    public static List<ReadValues> of(MessageType file, List<StructField> table) {
        List<ReadValues> values = new ArrayList<>();
        for (StructField column : table) {
            for (Type field : file.getFields()) {
                if (field.getName().equalsIgnoreCase(column.name())) {
                    add(field, column, values);
                }
            }
        }
        return values;
    }

    private static void add(Type field, StructField column, List<ReadValues> to) {
        SQLConf conf = SQLConf.get();
        StructType table = new StructType(new StructField[] {column});
        try {
            MessageType read = ParquetReadSupport$.MODULE$.clipParquetSchema(
                    new MessageType("table", field), table, conf.caseSensitiveAnalysis(), false, true);
            add(new ParquetToSparkSchemaConverter(conf).convertParquetColumn(read, Option.apply(table)), to);
        } catch (Exception | AssertionError e) {
            // Scala throws checked exceptions without declaring them. Spark does not read the column as this type: the
            // job fails.
        }
    }

    private static void add(ParquetColumn column, List<ReadValues> to) {
        if (column.descriptor().isDefined()) {
            String[] path = column.descriptor().get().getPath();
            PrimitiveType stored = column.descriptor().get().getPrimitiveType();
            to.add(new ReadValues(ColumnPath.get(path), stored, column.sparkType()));
        }
        CollectionConverters.asJava(column.children()).forEach(child -> add(child, to));
    }
}
