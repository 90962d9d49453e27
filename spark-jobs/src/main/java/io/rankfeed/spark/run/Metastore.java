package io.rankfeed.spark.run;

import io.rankfeed.schema.failure.ConfigException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.SparkConf;
import org.apache.spark.deploy.SparkHadoopUtil;

/** Describes the Hive metastore that a session would use. */
final class Metastore {
    private static final String URIS = "hive.metastore.uris";
    private static final String DATABASE = "javax.jdo.option.ConnectionURL";

    /** The database that Hive creates in the working directory if no metastore is configured. It is empty. */
    private static final Path EMBEDDED = Path.of("metastore_db");

    private Metastore() {}

    /** @throws ConfigException if there is none but an empty one, made again in the working directory */
    static void refuseUnlessNamed(SparkConf conf) {
        Configuration hadoop = SparkHadoopUtil.get().newConfiguration(conf);
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        // Catalogs that speak Hive's protocol otherwise have settings of that name too.
        boolean isSet =
                Stream.of(conf.getAll()).anyMatch(setting -> setting._1().contains("hive.metastore"));
        if (!isSet
                && hadoop.get(URIS, "").isBlank()
                && hadoop.get(DATABASE, "").isBlank()
                && loader.getResource("hive-site.xml") == null
                && !Files.isDirectory(EMBEDDED)) {
            throw new ConfigException("the job uses Hive tables, but no metastore is named; name it:"
                    + " ./rankfeed --spark \"--conf spark.hadoop." + URIS + "=thrift://HOST:9083\" …, or put its"
                    + " hive-site.xml into SPARK_CONF_DIR (docs/job-file/hive-and-delta.md, Hive)");
        }
    }
}
