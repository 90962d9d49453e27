package io.rankfeed.spark.engine.parquet;

import io.rankfeed.export.commit.StorageFailures;
import io.rankfeed.export.commit.TaskConfiguration;
import io.rankfeed.schema.failure.CorruptDataException;
import java.io.Serializable;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.datasources.PartitionedFile;
import org.apache.spark.sql.execution.datasources.parquet.ParquetFileFormat;
import org.apache.spark.sql.sources.Filter;
import org.apache.spark.sql.types.StructType;
import scala.Function1;
import scala.collection.AbstractIterator;
import scala.collection.Iterator;
import scala.collection.immutable.Map;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.AbstractFunction1;

/** Spark's Parquet reader; before each read of a part of a file, {@link PageCheck} checks the columns of the read. */
public final class CheckedParquet extends ParquetFileFormat {
    private static final long serialVersionUID = 1L;

    private final ArtifactFooters artifact;
    private final RowDecoded byRow;

    /** Reads input files. */
    CheckedParquet(RowDecoded byRow) {
        this(ArtifactFooters.NONE, byRow);
    }

    /** Reads files of an artifact: whole and without their statistics, which have no checksums. */
    CheckedParquet(ArtifactFooters artifact) {
        this(artifact, RowDecoded.NONE);
    }

    private CheckedParquet(ArtifactFooters artifact, RowDecoded byRow) {
        this.artifact = artifact;
        this.byRow = byRow;
    }

    @Override
    public boolean supportBatch(SparkSession spark, StructType schema) {
        return !byRow.anyOf(schema) && super.supportBatch(spark, schema);
    }

    @Override
    public boolean isSplitable(SparkSession spark, Map<String, String> options, Path path) {
        return artifact.isNone() && super.isSplitable(spark, options, path);
    }

    @Override
    public Function1<PartitionedFile, Iterator<InternalRow>> buildReaderWithPartitionValues(
            SparkSession spark,
            StructType dataSchema,
            StructType partitionSchema,
            StructType requiredSchema,
            Seq<Filter> filters,
            Map<String, String> options,
            Configuration conf) {
        Function1<PartitionedFile, Iterator<InternalRow>> read = super.buildReaderWithPartitionValues(
                byRow.anyOf(requiredSchema) ? RowDecoded.session(spark) : spark,
                dataSchema,
                partitionSchema,
                requiredSchema,
                artifact.isNone()
                        ? PushedFilters.exact(filters, dataSchema)
                        : CollectionConverters.asScala(List.<Filter>of()).toSeq(),
                options,
                conf);
        return new Checked(read, new PageCheck(requiredSchema, artifact), new TaskConfiguration(conf));
    }

    @SuppressWarnings("unchecked")
    private static <E extends Exception> RuntimeException unchanged(Exception e) throws E {
        throw (E) e;
    }

    private static final class Checked extends AbstractFunction1<PartitionedFile, Iterator<InternalRow>>
            implements Serializable {
        private static final long serialVersionUID = 1L;

        // Spark serializes its readers to the tasks.
        @SuppressWarnings("serial")
        private final Function1<PartitionedFile, Iterator<InternalRow>> read;

        private final PageCheck check;
        private final TaskConfiguration conf;

        Checked(Function1<PartitionedFile, Iterator<InternalRow>> read, PageCheck check, TaskConfiguration conf) {
            this.read = read;
            this.check = check;
            this.conf = conf;
        }

        @Override
        public Iterator<InternalRow> apply(PartitionedFile part) {
            check.of(part.toPath(), part.start(), part.start() + part.length(), conf.value());
            Iterator<InternalRow> rows = naming(part, () -> read.apply(part));
            return new Naming(rows, part).typed();
        }

        private Optional<CorruptDataException> damage(PartitionedFile part) {
            return DamagedColumn.find(
                    part.toPath(), check::isRead, part.start(), part.start() + part.length(), conf.value());
        }

        /** The elements are batches where Spark decodes by column, so no cast to a row may be compiled into this class. */
        private final class Naming extends AbstractIterator<Object> {
            private final Iterator<?> elements;
            private final PartitionedFile part;

            Naming(Iterator<InternalRow> elements, PartitionedFile part) {
                this.elements = elements;
                this.part = part;
            }

            @SuppressWarnings("unchecked")
            Iterator<InternalRow> typed() {
                return (Iterator<InternalRow>) (Iterator<?>) this;
            }

            @Override
            public boolean hasNext() {
                return naming(part, elements::hasNext);
            }

            @Override
            public Object next() {
                return naming(part, () -> (Object) elements.next());
            }
        }

        /** Runs one step of a read. If it fails, the exception names the column. */
        private <T> T naming(PartitionedFile part, Callable<T> step) {
            try {
                return step.call();
            } catch (Exception e) {
                // Scala throws checked exceptions without declaring them.
                if (!StorageFailures.isUnavailable(e)) {
                    damage(part).ifPresent(damage -> {
                        throw damage;
                    });
                }
                throw CheckedParquet.<RuntimeException>unchanged(e);
            }
        }
    }
}
