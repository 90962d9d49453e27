package io.rankfeed.export.parquet;

import io.rankfeed.export.commit.StorageFailures;
import java.io.EOFException;
import java.nio.BufferUnderflowException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The reason in an exception of a Parquet or ORC reader for corrupted data, without names of classes. */
public final class DamagedContent {
    private static final Pattern MISSING_FIELD = Pattern.compile("Required field '(\\w+)' (was not present|is unset)");
    private static final Pattern CLASS_NAME = Pattern.compile("\\b[a-z]\\w*(\\.[a-z]\\w*)+\\.[A-Z]");

    /** Packages whose code decodes bytes and does no input or output. */
    private static final List<String> DECODERS = List.of(
            "org.apache.orc.",
            "org.apache.parquet.",
            "shaded.parquet.",
            "org.apache.hadoop.io.compress.",
            "org.apache.spark.sql.execution.datasources.",
            "com.google.protobuf.",
            "org.xerial.snappy.",
            "io.airlift.compress.",
            "com.github.luben.zstd.",
            "java.util.zip.");

    private DamagedContent() {}

    /**
     * Whether a decoder, or what it called of Java, threw the innermost exception: readers of ORC report damage as input and
     * output errors.
     */
    public static boolean isDecoders(Throwable thrown) {
        for (StackTraceElement frame : innermost(thrown).getStackTrace()) {
            String name = frame.getClassName();
            if (DECODERS.stream().anyMatch(name::startsWith)) {
                return true;
            } else if (!name.startsWith("java.") && !name.startsWith("jdk.")) {
                return false;
            }
        }
        return false;
    }

    private static Throwable innermost(Throwable thrown) {
        return StorageFailures.causes(thrown).reduce(thrown, (outer, cause) -> cause);
    }

    /** A clause for a message. */
    public static String why(Throwable thrown) {
        Throwable innermost = innermost(thrown);
        String message = StorageFailures.firstLine(innermost);
        Matcher field = MISSING_FIELD.matcher(message);
        if (message.contains("CRC checksum verification failed")) {
            return "a page does not match its checksum";
        } else if (field.find()) {
            return "the field '" + field.group(1) + "' is missing";
        } else if (innermost instanceof EOFException || innermost instanceof BufferUnderflowException) {
            return "its data ends before the last value";
        } else if (innermost instanceof IndexOutOfBoundsException || innermost instanceof NegativeArraySizeException) {
            String number = "a number in it is out of its range";
            return innermost.getMessage() == null ? number : number + ": " + message;
        }
        // Only messages that the readers write themselves are human-readable.
        boolean isReadable = innermost.getMessage() != null
                && !(innermost instanceof NullPointerException)
                && !(innermost instanceof ClassCastException)
                && !CLASS_NAME.matcher(message).find();
        return isReadable ? message : "its content is not valid";
    }
}
