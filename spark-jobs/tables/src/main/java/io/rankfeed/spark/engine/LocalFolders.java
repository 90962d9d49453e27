package io.rankfeed.spark.engine;

import io.rankfeed.schema.failure.IoReason;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.apache.spark.SparkEnv;
import org.apache.spark.util.Utils;

/** The folders of this machine in which Spark stores shuffle files and spilled data. */
final class LocalFolders {
    private LocalFolders() {}

    /** The folders with their free bytes, to append to a failure that names no file; empty if the disk is not full. */
    static String free(IOException failure) {
        SparkEnv env = SparkEnv.get();
        boolean isNamed = String.valueOf(failure.getMessage()).contains("/");
        if (env == null || isNamed || !IoReason.isDiskFull(failure)) {
            return "";
        }
        return Arrays.stream(Utils.getConfiguredLocalDirs(env.conf()))
                .map(folder -> "spark.local.dir is " + folder + IoReason.free(Path.of(folder)))
                .collect(Collectors.joining("; ", "; ", ""));
    }
}
