package io.rankfeed.spark.run;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * HDFS clients for writing. At a file's end a client asks the name node whether it has heard of the last block, which is
 * mostly a moment too early, and asks again after 400 ms: longer than a block of 16 MiB takes to be written. These wait a
 * 32nd of that at first, twice as long each time, and as long in all. Everything else is as in the client that is there.
 */
final class WritingClients {
    private static final String PAUSE = "dfs.client.block.write.locateFollowingBlock.initial.delay.ms";
    private static final int USUAL_PAUSE_MILLIS = 400;
    private static final int PAUSE_MILLIS = 13;

    private static final String ASKED = "dfs.client.block.write.locateFollowingBlock.retries";
    private static final int USUALLY_ASKED = 5;
    private static final int ASKED_MORE = 5;

    /** By the client that Hadoop keeps, one for each user and name node; closed as those are, when the JVM ends. */
    private static final Map<FileSystem, FileSystem> OPEN = new ConcurrentHashMap<>();

    private WritingClients() {}

    /** The file system of a path, as {@link Storage#of} has it. */
    static FileSystem of(Path path, Configuration conf) {
        FileSystem fs = Storage.of(path, conf);
        boolean keptByHadoop = !conf.getBoolean("fs.hdfs.impl.disable.cache", false);
        boolean asUsual = fs.getConf().getInt(PAUSE, USUAL_PAUSE_MILLIS) == USUAL_PAUSE_MILLIS;
        return "hdfs".equals(fs.getUri().getScheme()) && keptByHadoop && asUsual
                ? OPEN.computeIfAbsent(fs, WritingClients::asking)
                : fs;
    }

    private static FileSystem asking(FileSystem fs) {
        Configuration sooner = new Configuration(fs.getConf());
        sooner.setInt(PAUSE, PAUSE_MILLIS);
        sooner.setInt(ASKED, sooner.getInt(ASKED, USUALLY_ASKED) + ASKED_MORE);
        try {
            return FileSystem.newInstance(fs.getUri(), sooner);
        } catch (IOException e) {
            throw Storage.failed("open", new Path(fs.getUri()), e);
        }
    }
}
