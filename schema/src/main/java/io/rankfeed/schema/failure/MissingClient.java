package io.rankfeed.schema.failure;

import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A Hadoop file system that this process has no classes for. Hadoop reports it by one of several exceptions: a missing
 * class, a linkage error, or an I/O error whose message names the class.
 */
public final class MissingClient {
    private static final int MAX_CAUSES = 20;
    private static final Pattern CLASS =
            Pattern.compile("(?:ClassNotFoundException|NoClassDefFoundError): (?:Class )?([\\w.$/]+)");
    private static final Pattern SCHEME =
            Pattern.compile("No (?:Abstract)?FileSystem (?:for scheme|configured for scheme)");
    private static final String WEB =
            "the class path of Hadoop 3.5's shaded client has no webhdfs; use the hdfs:// address of"
                    + " the name node, or mount the store";

    /** Hadoop's artifacts work with their own version only. */
    private static final String VERSION = version();

    /** The artifact with the classes of each scheme. */
    private static final Map<String, String> ARTIFACTS = Map.of(
            "s3a", "org.apache.hadoop:hadoop-aws" + VERSION,
            "s3", "org.apache.hadoop:hadoop-aws" + VERSION + ", whose scheme is s3a",
            "abfs", "org.apache.hadoop:hadoop-azure" + VERSION,
            "abfss", "org.apache.hadoop:hadoop-azure" + VERSION,
            "wasb", "org.apache.hadoop:hadoop-azure" + VERSION,
            "gs", "com.google.cloud.bigdataoss:gcs-connector",
            "oss", "org.apache.hadoop:hadoop-aliyun" + VERSION);

    private MissingClient() {}

    /**
     * The configuration error behind a failure to reach an address; empty if it has another cause.
     *
     * @param how jars are added, as in {@code "submit with --packages"}
     */
    public static Optional<ConfigException> of(String address, Throwable failure, String how) {
        Throwable at = failure;
        for (int i = 0; at != null && i < MAX_CAUSES; at = at.getCause(), i++) {
            String missing = missing(at);
            if (missing != null) {
                return Optional.of(
                        new ConfigException(address + ": " + missing + "; " + remedy(scheme(address), how), failure));
            }
        }
        return Optional.empty();
    }

    /** Returns instructions for adding the client of a scheme. */
    public static String remedy(String scheme, String how) {
        if (scheme.endsWith("webhdfs")) {
            return WEB;
        }
        if (scheme.isEmpty()) {
            return how + " the jars of its Hadoop file system, as org.apache.hadoop:hadoop-aws" + VERSION + " for s3a";
        }
        String artifact = ARTIFACTS.get(scheme);
        return artifact == null
                ? "check the scheme '" + scheme + "', or " + how + " the jars of its Hadoop file system"
                : how + " " + artifact;
    }

    /** Reads Hadoop's version by reflection: a feeder has no Hadoop, or the one on its optional class path. */
    private static String version() {
        try {
            return ":"
                    + Class.forName("org.apache.hadoop.util.VersionInfo")
                            .getMethod("getVersion")
                            .invoke(null);
        } catch (ReflectiveOperationException | LinkageError e) {
            return " of your Hadoop's version";
        }
    }

    private static @Nullable String missing(Throwable at) {
        String text = at.toString();
        Matcher named = CLASS.matcher(text);
        if (named.find()) {
            return "the client of this address is not on the class path: class "
                    + named.group(1).replace('/', '.') + " is missing";
        }
        return SCHEME.matcher(text).find() ? "Hadoop knows no file system of this scheme" : null;
    }

    private static String scheme(String address) {
        int end = address.indexOf(':');
        return end < 0 ? "" : address.substring(0, end);
    }
}
