package io.rankfeed.spark.source;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.RankfeedException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.Set;
import org.apache.hadoop.security.AccessControlException;
import org.apache.parquet.ParquetRuntimeException;
import org.apache.spark.SparkThrowable;
import org.apache.spark.sql.AnalysisException;
import org.jspecify.annotations.Nullable;

/** What Spark throws, in the project's four kinds of failure. */
public final class SparkFailures {
    private static final int DEPTH = 20;
    private static final Set<String> VALUES = Set.of(
            "CAST_INVALID_INPUT", "CAST_OVERFLOW", "ARITHMETIC_OVERFLOW", "DIVIDE_BY_ZERO", "INVALID_ARRAY_INDEX");

    private SparkFailures() {}

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
        if (message.contains("XSDB6") || message.contains("Another instance of Derby")) {
            return new EnvironmentException(
                    "the Derby metastore is in use by another process; wait for it, or use a metastore service", at);
        } else if (message.contains(
                        "Unable to instantiate org.apache.hadoop.hive.ql.metadata.SessionHiveMetaStoreClient")
                || message.contains("Could not connect to meta store")) {
            return new EnvironmentException(
                    "the Hive metastore cannot be reached; check hive.metastore.uris and that it runs", at);
        } else if (at instanceof SparkThrowable spark
                && String.valueOf(spark.getCondition()).startsWith("FAILED_READ_FILE")) {
            String path = spark.getMessageParameters().getOrDefault("path", "an input file");
            if (isSurroundings(at)) {
                return new EnvironmentException("cannot read " + path + ": " + cause(at), at);
            }
            return new CorruptDataException(path, "cannot be read: " + cause(at), at);
        } else if (at instanceof SparkThrowable spark
                && VALUES.stream().anyMatch(String.valueOf(spark.getCondition())::startsWith)) {
            return new ConfigException("a value does not fit the job's SQL: " + firstLine(at), at);
        } else if (at instanceof AnalysisException) {
            return new ConfigException("the job's SQL: " + firstLine(at), at);
        } else if (at instanceof ParquetRuntimeException) {
            return new CorruptDataException("a Parquet file", firstLine(at), at);
        } else if (at instanceof IOException) {
            return new EnvironmentException(firstLine(at), at);
        }
        return null;
    }

    /** Whether a failure to read tells of the way to the bytes (rights, network, a file that went), not of the bytes. */
    static boolean isSurroundings(Throwable thrown) {
        int depth = 0;
        for (Throwable at = thrown; at != null && depth < DEPTH; at = at.getCause(), depth++) {
            if (at instanceof AccessControlException
                    || at instanceof AccessDeniedException
                    || at instanceof FileNotFoundException
                    || at instanceof NoSuchFileException
                    || at instanceof SocketException
                    || at instanceof UnknownHostException
                    || at instanceof InterruptedIOException) {
                return true;
            }
        }
        return false;
    }

    private static String cause(Throwable at) {
        Throwable innermost = at;
        for (int i = 0; i < DEPTH && innermost.getCause() != null; i++) {
            innermost = innermost.getCause();
        }
        return innermost.getClass().getSimpleName() + ": " + firstLine(innermost);
    }

    /** A message without its plan and stack. */
    public static String firstLine(Throwable at) {
        return String.valueOf(at.getMessage())
                .lines()
                .filter(line -> !line.isBlank())
                .findFirst()
                .orElse(at.getClass().getSimpleName());
    }
}
