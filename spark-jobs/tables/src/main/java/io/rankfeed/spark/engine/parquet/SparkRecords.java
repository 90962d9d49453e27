package io.rankfeed.spark.engine.parquet;

import org.apache.parquet.io.api.RecordMaterializer;
import org.apache.parquet.schema.MessageType;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.RebaseDateTime;
import org.apache.spark.sql.execution.datasources.parquet.ParquetRecordMaterializer;
import org.apache.spark.sql.execution.datasources.parquet.ParquetToSparkSchemaConverter;
import org.apache.spark.sql.internal.LegacyBehaviorPolicy;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.types.StructType;
import scala.Option;

/** Makes rows of all types that Spark reads, with Spark's own converters. */
final class SparkRecords {
    private SparkRecords() {}

    /** Dates and times are in no sample, so how old calendars count is of no matter. */
    static RecordMaterializer<InternalRow> of(MessageType requested, StructType columns) {
        RebaseDateTime.RebaseSpec asWritten =
                new RebaseDateTime.RebaseSpec(LegacyBehaviorPolicy.CORRECTED(), Option.empty());
        return new ParquetRecordMaterializer(
                requested,
                columns,
                new ParquetToSparkSchemaConverter(SQLConf.get()),
                Option.empty(),
                asWritten,
                asWritten);
    }
}
