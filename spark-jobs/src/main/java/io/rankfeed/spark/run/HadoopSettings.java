package io.rankfeed.spark.run;

import org.apache.hadoop.conf.Configuration;

/** Hadoop's settings of commands that start no session. */
public final class HadoopSettings {
    private static final String PREFIX = "spark.hadoop.";

    private HadoopSettings() {}

    /** The settings that a session would have. */
    public static Configuration current() {
        Configuration conf = new Configuration();
        // spark-submit sets its options as properties of the JVM.
        for (String name : System.getProperties().stringPropertyNames()) {
            if (name.startsWith(PREFIX)) {
                conf.set(name.substring(PREFIX.length()), System.getProperty(name));
            }
        }
        return conf;
    }
}
