package io.rankfeed.spark.run;

import io.rankfeed.export.commit.Storage;
import io.rankfeed.schema.config.ConfigDocument;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.EnvironmentException;
import io.rankfeed.schema.failure.IoReason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.util.Arrays;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.spark.SparkConf;

/** Finds the job file before there is a Spark session. */
public final class JobBytes {
    private JobBytes() {}

    /** @throws ConfigException if it is nowhere */
    public static byte[] read(String file, SparkConf spark, Configuration hadoop) {
        return local(file)
                .or(() -> shipped(file, spark, hadoop))
                .or(() -> remote(file, hadoop))
                .orElseThrow(() -> new ConfigException("there is no job file " + file
                        + ", neither here nor among --files nor in the default file system"));
    }

    private static Optional<byte[]> local(String file) {
        try {
            java.nio.file.Path path = java.nio.file.Path.of(file);
            if (!Files.isRegularFile(path)) {
                return Optional.empty();
            }
            return Optional.of(ConfigDocument.read(path));
        } catch (InvalidPathException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new EnvironmentException(IoReason.of("cannot read " + file, e), e);
        }
    }

    private static Optional<byte[]> shipped(String file, SparkConf spark, Configuration hadoop) {
        return Arrays.stream(spark.get("spark.files", "").split(",", -1))
                .map(String::strip)
                .filter(shipped ->
                        !shipped.isEmpty() && new Path(shipped).getName().equals(file))
                .findFirst()
                .flatMap(shipped -> remote(shipped, hadoop));
    }

    private static Optional<byte[]> remote(String file, Configuration hadoop) {
        try {
            return Storage.read(Storage.of(new Path(file), hadoop), new Path(file), ConfigDocument.MAX_BYTES);
        } catch (CorruptDataException tooLong) {
            throw new ConfigException(tooLong.getMessage() + "; is it a job file?", tooLong);
        } catch (IllegalArgumentException e) {
            // A name with a colon, which is not a path of Hadoop's.
            return Optional.empty();
        }
    }
}
