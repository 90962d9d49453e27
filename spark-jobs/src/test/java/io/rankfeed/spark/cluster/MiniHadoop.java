package io.rankfeed.spark.cluster;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.MiniYARNCluster;

/**
 * An HDFS and a YARN of one node each in a JVM of their own, until its input ends. {@code conf/} of the folder given is
 * a HADOOP_CONF_DIR; the file {@code ready} comes last and has the address of the file system.
 */
final class MiniHadoop {
    private MiniHadoop() {}

    public static void main(String[] args) throws Exception {
        Path folder = Path.of(args[0]).toAbsolutePath();
        System.setProperty("test.build.data", folder.resolve("yarn").toString());
        Configuration conf = new YarnConfiguration();
        conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, folder.resolve("dfs").toString());
        conf.set("hadoop.tmp.dir", folder.resolve("tmp").toString());
        conf.setInt("dfs.replication", 1);
        try (MiniDFSCluster dfs =
                new MiniDFSCluster.Builder(conf).numDataNodes(1).build()) {
            dfs.waitActive();
            String uri = "hdfs://localhost:" + dfs.getNameNodePort();
            conf.set("fs.defaultFS", uri);
            try (MiniYARNCluster yarn = yarn(conf)) {
                write(folder.resolve("conf"), uri, yarn.getConfig());
                Path ready = Files.writeString(folder.resolve("_ready"), uri);
                Files.move(ready, folder.resolve("ready"), StandardCopyOption.ATOMIC_MOVE);
                while (System.in.read() >= 0) {
                    // Whoever started this holds the other end.
                }
            }
        }
        // Some of their threads are no daemons.
        System.exit(0);
    }

    private static MiniYARNCluster yarn(Configuration conf) throws Exception {
        conf.set("yarn.nodemanager.resource.memory-mb", "4096");
        conf.set("yarn.nodemanager.resource.cpu-vcores", "4");
        conf.set("yarn.scheduler.minimum-allocation-mb", "256");
        conf.set("yarn.scheduler.capacity.root.queues", "default");
        conf.set("yarn.scheduler.capacity.root.default.capacity", "100");
        // Half a node is more than the tenth that application masters may have.
        conf.set("yarn.scheduler.capacity.maximum-am-resource-percent", "1");
        conf.setBoolean("yarn.nodemanager.vmem-check-enabled", false);
        // A disk that is nearly full is this machine's matter.
        conf.set("yarn.nodemanager.disk-health-checker.max-disk-utilization-per-disk-percentage", "100");
        MiniYARNCluster yarn = new MiniYARNCluster("mini", 1, 1, 1);
        yarn.init(conf);
        yarn.start();
        if (!yarn.waitForNodeManagersToConnect(60_000)) {
            throw new IOException("the node manager did not come up");
        }
        return yarn;
    }

    /** Only where things are: the cluster's own settings name classes that no client has. */
    private static void write(Path folder, String uri, Configuration yarn) throws IOException {
        Files.createDirectories(folder);
        Configuration core = new Configuration(false);
        core.set("fs.defaultFS", uri);
        Configuration resources = new Configuration(false);
        for (String key : List.of("yarn.resourcemanager.address", "yarn.resourcemanager.scheduler.address")) {
            resources.set(key, yarn.get(key));
        }
        try (OutputStream coreSite = Files.newOutputStream(folder.resolve("core-site.xml"));
                OutputStream yarnSite = Files.newOutputStream(folder.resolve("yarn-site.xml"))) {
            core.writeXml(coreSite);
            resources.writeXml(yarnSite);
        }
    }
}
