package io.rankfeed.spark.blocks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;

/** A name node and a data node in this JVM. */
final class Hdfs implements AutoCloseable {
    private final MiniDFSCluster cluster;

    /** @param folder of this machine, where the blocks are */
    Hdfs(Path folder) {
        Configuration conf = new Configuration();
        conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, folder.toString());
        conf.setInt("dfs.replication", 1);
        conf.setLong("dfs.namenode.fs-limits.min-block-size", 1 << 16);
        conf.setBoolean("dfs.datanode.sync.behind.writes", false);
        try {
            cluster = new MiniDFSCluster.Builder(conf).numDataNodes(1).build();
            cluster.waitActive();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Its own settings, for whoever opens it. */
    Configuration conf() {
        return cluster.getConfiguration(0);
    }

    FileSystem files() {
        try {
            return cluster.getFileSystem();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Of an absolute path. */
    String uri(String path) {
        return cluster.getURI() + path;
    }

    @Override
    public void close() {
        cluster.shutdown(true, true);
    }
}
