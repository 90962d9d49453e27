package io.rankfeed.spark.engine;

import io.rankfeed.export.commit.Storage;
import io.rankfeed.export.commit.StorageFailures;
import io.rankfeed.export.parquet.DamagedContent;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.IoReason;
import io.rankfeed.schema.failure.MissingClient;
import io.rankfeed.schema.failure.RankfeedException;
import io.rankfeed.spark.file.UnfitValueException;
import io.rankfeed.spark.file.UnfitValueException.Reason;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.parquet.ParquetRuntimeException;
import org.apache.parquet.crypto.ParquetCryptoRuntimeException;
import org.apache.parquet.hadoop.BadConfigurationException;
import org.apache.spark.SparkException;
import org.apache.spark.SparkThrowable;
import org.apache.spark.sql.AnalysisException;
import org.jspecify.annotations.Nullable;

/** Translates the exceptions of Spark into the project's four kinds of failure. */
public final class SparkFailures {
    private static final int DEPTH = 20;
    private static final Set<String> CLUSTERS = Set.of(
            "ExecutorLostFailure",
            "FetchFailed",
            "maximum allowable",
            "spark.driver.maxResultSize",
            "Not enough memory to build and broadcast",
            "SparkContext was shut down");

    /** The text after the name of the executor in the message of a lost task, if memory ran out. */
    private static final Set<String> OUT_OF_MEMORY =
            Set.of("): java.lang.OutOfMemoryError", "): org.apache.spark.memory.SparkOutOfMemoryError");

    /** The advice for bad rows. */
    public static final String QUARANTINE = "prepare.on-bad-row: quarantine continues without bad rows and writes them,"
            + " with their locations, to a table next to the prepared one";

    /** The remedy for a value that ends the job with any on-bad-row. */
    public static final String TRY = "in the job's SQL, use try_cast, try_divide and similar, which give null";

    /** SQLSTATE class. */
    private static final String DATA_EXCEPTIONS = "22";

    /** SQLSTATE of raise_error and assert_true. */
    private static final String RAISED = "P0001";

    /** Conditions of values that have another SQLSTATE. */
    private static final Set<String> VALUES =
            Set.of("DUPLICATED_MAP_KEY", "INCONSISTENT_BEHAVIOR_CROSS_VERSION.PARSE_DATETIME");

    /** Conditions of valid variants of types that Spark's do not have. */
    private static final Set<String> VARIANTS =
            Set.of("UNKNOWN_PRIMITIVE_TYPE_IN_VARIANT", "INVALID_VARIANT_SHREDDING_SCHEMA");

    private static final String UNKNOWN_FILE = "an input file";
    private static final String FIND = "; read the files one at a time to find it";
    private static final String UNLOCATED = "a row of the query";

    private SparkFailures() {}

    /** Does work. If a bad row ends it whose file and row number are unknown, another failure says where it is. */
    public static <T> T locating(Supplier<T> work, UnaryOperator<RuntimeException> located) {
        try {
            return work.get();
        } catch (Exception e) {
            // Scala throws checked exceptions without declaring them.
            RuntimeException failure = translated(e);
            throw isUnplacedBadRow(failure) ? located.apply(failure) : failure;
        }
    }

    /** Whether a translated failure is a bad row whose file and row number are unknown. */
    public static boolean isUnplacedBadRow(RuntimeException translated) {
        return translated instanceof CorruptDataException && translated.getCause() instanceof UnfitValueException;
    }

    /** The failure as one of a row's value; empty if the job or the environment failed. */
    public static Optional<UnfitValueException> unfitValue(Throwable failure) {
        if (failure instanceof UnfitValueException unfit) {
            return Optional.of(unfit);
        }
        if (failure instanceof AnalysisException || !(failure instanceof SparkThrowable spark)) {
            return Optional.empty();
        }
        String state = String.valueOf(spark.getSqlState());
        boolean raised = state.equals(RAISED);
        boolean isValue = raised
                || state.startsWith(DATA_EXCEPTIONS)
                || VALUES.stream().anyMatch(String.valueOf(spark.getCondition())::startsWith);
        return isValue
                ? Optional.of(new UnfitValueException(
                        raised ? Reason.RAISED : Reason.UNFIT_VALUE, StorageFailures.firstLine(failure)))
                : Optional.empty();
    }

    /** The failure for a bad row that is not a row of a source. */
    public static RuntimeException withoutRow(RuntimeException unlocated) {
        return unlocated.getCause() instanceof UnfitValueException unfit
                ? new CorruptDataException(
                        UNLOCATED,
                        unfit.getMessage()
                                + "; the value belongs to a join, an aggregate, a window or a subquery, whose"
                                + " rows have no address in a source: find it with try_cast, try_divide or a condition",
                        unfit)
                : unlocated;
    }

    /** The failure that a person can act on, or the exception itself where it is a bug. */
    public static RuntimeException translated(Throwable thrown) {
        RuntimeException found = null;
        int depth = 0;
        for (Throwable at = thrown; at != null && depth < DEPTH; at = at.getCause(), depth++) {
            if (at instanceof RankfeedException known) {
                // Whoever named the file or the key knows best.
                return known;
            }
            found = found == null ? known(at) : found;
        }
        if (found != null) {
            return found;
        }
        return thrown instanceof RuntimeException bug ? bug : new IllegalStateException(thrown);
    }

    private static @Nullable RuntimeException known(Throwable at) {
        String message = String.valueOf(at.getMessage());
        Optional<ConfigException> client = at.toString().contains("FileSystem")
                ? MissingClient.of("a table or folder of the job", at, Storage.JARS)
                : Optional.empty();
        if (client.isPresent()) {
            return client.get();
        } else if (isOutOfMemory(at, message)) {
            String advice = cause(at).contains("native thread")
                    ? "raise the thread limit of this user (ulimit -u), or give the job fewer cores"
                    : "give the job more memory (--spark \"--driver-memory …\" on one machine, and for what the driver"
                            + " collects; --executor-memory on a cluster) or fewer cores, and where rows are large put"
                            + " fewer of them in a record batch (export.batch-rows)";
            return new EnvironmentException("out of memory: " + cause(at) + "; " + advice, at);
        } else if (isDerbyHeld(at)) {
            return new EnvironmentException(
                    "the Derby metastore is in use by another process, or cannot be started; wait for it, or use a"
                            + " metastore service",
                    at);
        } else if (isMetastoreGone(at, message)) {
            return new EnvironmentException(
                    "the Hive metastore cannot be reached; check hive.metastore.uris and that it runs", at);
        } else if (at instanceof SparkThrowable spark
                && String.valueOf(spark.getCondition()).startsWith("FAILED_READ_FILE")) {
            String path = spark.getMessageParameters().getOrDefault("path", UNKNOWN_FILE);
            if (isUnsupported(at)) {
                return new ConfigException(path + ": unsupported Parquet: " + cause(at), at);
            }
            return isDamage(at)
                    ? new CorruptDataException(path, "cannot be read: " + DamagedContent.why(at), at)
                    : new EnvironmentException("cannot read " + path + ": " + cause(at), at);
        } else if (at instanceof AnalysisException) {
            return StorageFailures.isUnavailable(at)
                    ? new EnvironmentException(StorageFailures.firstLine(at), at)
                    : new ConfigException("the job's SQL: " + StorageFailures.firstLine(at), at);
        } else if (at instanceof StackOverflowError) {
            return new ConfigException(
                    "the job's SQL is nested too deeply for Spark's stack; write it flatter, or enlarge the"
                            + " stack (--driver-java-options -Xss16m)",
                    at);
        } else if (unfitValue(at).isPresent()) {
            UnfitValueException unfit = unfitValue(at).get();
            return new CorruptDataException(UNLOCATED, unfit.getMessage() + "; " + QUARANTINE, unfit);
        } else if (message.startsWith("Cannot grow BufferHolder by size -")) {
            // Only ORC files cause it, since their values have no checksums. It occurs after the reader, where the file
            // is no longer known.
            return new CorruptDataException(UNKNOWN_FILE, "holds a value of a negative length" + FIND, at);
        } else if ((at instanceof IndexOutOfBoundsException || at instanceof IllegalArgumentException)
                && DamagedContent.isDecoders(at)) {
            return new CorruptDataException(UNKNOWN_FILE, "cannot be read: " + DamagedContent.why(at) + FIND, at);
        } else if (at instanceof ParquetRuntimeException) {
            return new CorruptDataException("a Parquet file", DamagedContent.why(at), at);
        } else if (at instanceof IOException io) {
            return new EnvironmentException(IoReason.of(io) + LocalFolders.free(io), at);
        } else if (isClusters(at, message)) {
            return new EnvironmentException(StorageFailures.firstLine(at), at);
        }
        return null;
    }

    /** A message is matched only if it is all that is known of a failed task; other messages may contain values of the user's rows. */
    private static boolean isOutOfMemory(Throwable thrown, String message) {
        boolean isToldOnly = thrown instanceof SparkException && thrown.getCause() == null;
        return StorageFailures.causes(thrown)
                        .anyMatch(at -> at instanceof OutOfMemoryError
                                || String.valueOf(at.getMessage())
                                        .startsWith("Cannot reserve additional contiguous bytes"))
                || (isToldOnly && OUT_OF_MEMORY.stream().anyMatch(message::contains));
    }

    /** Hive reports it as a missing metastore; only the cause names it. */
    private static boolean isDerbyHeld(Throwable thrown) {
        return StorageFailures.causes(thrown)
                .map(at -> String.valueOf(at.getMessage()))
                .anyMatch(message -> message.contains("XSDB6")
                        || message.contains("Another instance of Derby")
                        || message.contains("Failed to start database"));
    }

    private static boolean isMetastoreGone(Throwable at, String message) {
        return (at instanceof AnalysisException && message.contains("TTransportException"))
                || message.contains(
                        "Unable to instantiate org.apache.hadoop.hive.ql.metadata.SessionHiveMetaStoreClient")
                || message.contains("Could not connect to meta store");
    }

    /**
     * Whether a failure is the cluster's, for which Spark gives no cause: lost executors or their shuffle files, or
     * results too large for the driver.
     */
    private static boolean isClusters(Throwable at, String message) {
        return (at instanceof SparkException && CLUSTERS.stream().anyMatch(message::contains))
                || (at instanceof IllegalStateException && message.contains("stopped SparkContext"));
    }

    /** Whether the file is valid and uses what this Spark does not read: an encoding, a codec, encryption. */
    private static boolean isUnsupported(Throwable thrown) {
        return StorageFailures.causes(thrown)
                .anyMatch(at -> at instanceof UnsupportedOperationException
                        || at instanceof ParquetCryptoRuntimeException
                        || at instanceof BadConfigurationException
                        || (at instanceof SparkThrowable spark
                                && VARIANTS.contains(String.valueOf(spark.getCondition()))));
    }

    /**
     * Whether a failure to read is due to the bytes, not to the way to them. Readers meet damage with whatever exception
     * comes first, but none that means input or output alone.
     */
    private static boolean isDamage(Throwable thrown) {
        return !StorageFailures.isUnavailable(thrown)
                && (DamagedContent.isDecoders(thrown)
                        || StorageFailures.causes(thrown)
                                .anyMatch(at -> at instanceof EOFException
                                        || at instanceof ChecksumException
                                        // A type in the schema of the file that Spark does not know.
                                        || at instanceof AnalysisException
                                        // A schema that Spark's reader has an assertion about.
                                        || at instanceof AssertionError
                                        || (at instanceof RuntimeException && !(at instanceof UncheckedIOException))));
    }

    private static String cause(Throwable at) {
        Throwable innermost = at;
        for (int i = 0; i < DEPTH && innermost.getCause() != null; i++) {
            innermost = innermost.getCause();
        }
        return innermost.getClass().getSimpleName() + ": " + StorageFailures.firstLine(innermost);
    }
}
