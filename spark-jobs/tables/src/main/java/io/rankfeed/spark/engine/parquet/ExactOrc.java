package io.rankfeed.spark.engine.parquet;

import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.datasources.PartitionedFile;
import org.apache.spark.sql.execution.datasources.orc.OrcFileFormat;
import org.apache.spark.sql.sources.Filter;
import org.apache.spark.sql.types.StructType;
import scala.Function1;
import scala.collection.Iterator;
import scala.collection.immutable.Map;
import scala.collection.immutable.Seq;

/** Spark's ORC reader. Conditions on FLOAT and DOUBLE do not skip rows by statistics, in which -0.0 is less than 0.0. */
final class ExactOrc extends OrcFileFormat {
    private static final long serialVersionUID = 1L;

    @Override
    public Function1<PartitionedFile, Iterator<InternalRow>> buildReaderWithPartitionValues(
            SparkSession spark,
            StructType dataSchema,
            StructType partitionSchema,
            StructType requiredSchema,
            Seq<Filter> filters,
            Map<String, String> options,
            Configuration conf) {
        return super.buildReaderWithPartitionValues(
                spark,
                dataSchema,
                partitionSchema,
                requiredSchema,
                PushedFilters.exact(filters, dataSchema),
                options,
                conf);
    }
}
