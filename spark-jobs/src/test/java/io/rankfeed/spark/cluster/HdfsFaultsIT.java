package io.rankfeed.spark.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.export.commit.ArtifactAttempt;
import io.rankfeed.export.commit.StagedFile;
import io.rankfeed.export.commit.Storage;
import io.rankfeed.export.commit.WrittenFile;
import io.rankfeed.schema.digest.Sha256;
import io.rankfeed.schema.failure.EnvironmentException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Artifacts on an HDFS whose data nodes die and whose replicas rot. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(300)
class HdfsFaultsIT {
    private static final byte[] MANIFEST = "{}\n".getBytes(StandardCharsets.UTF_8);

    private MiniDFSCluster cluster;

    @BeforeAll
    void start(@TempDir java.nio.file.Path folder) throws IOException {
        Configuration conf = new Configuration();
        conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, folder.toString());
        conf.setInt("dfs.replication", 2);
        conf.setLong("dfs.namenode.fs-limits.min-block-size", 1 << 20);
        conf.setLong("dfs.blocksize", 1 << 20);
        // A client searches for another replica after some seconds, by default.
        conf.setInt("dfs.client.retry.window.base", 10);
        cluster = new MiniDFSCluster.Builder(conf).numDataNodes(2).build();
        cluster.waitActive();
    }

    @AfterAll
    void stop() {
        cluster.shutdown(true, true);
    }

    @Test
    @Tag("nightly")
    void dataNode_dying_losesNothingAndRottenReplicasFail() throws Exception {
        FileSystem fs = cluster.getFileSystem();
        Path folder = new Path(cluster.getURI() + "/root/artifact");
        byte[] bytes = new byte[3 << 20];
        new Random(26).nextBytes(bytes);
        ArtifactAttempt attempt = new ArtifactAttempt(folder, cluster.getConfiguration(0), "app");
        attempt.made(
                () -> {
                    WrittenFile written = writeWhileANodeDies(attempt, bytes);
                    attempt.commit(List.of(written), MANIFEST);
                    return written;
                },
                java.util.Optional::empty);
        Path file = new Path(folder, "data.bin");
        assertThat(Sha256.hex(Storage.read(fs, file, bytes.length).orElseThrow()))
                .isEqualTo(Sha256.hex(bytes));
        assertThat(Storage.read(fs, new Path(folder, "manifest.json"), 100).orElseThrow())
                .isEqualTo(MANIFEST);

        cluster.corruptBlockOnDataNodes(DFSTestUtil.getFirstBlock(fs, file));
        assertThatThrownBy(() -> Storage.read(fs, file, bytes.length))
                .isInstanceOf(EnvironmentException.class)
                .hasMessageContaining("data.bin");
    }

    private WrittenFile writeWhileANodeDies(ArtifactAttempt attempt, byte[] bytes) {
        try (StagedFile staged = attempt.stage("data.bin")) {
            staged.stream().write(bytes, 0, bytes.length / 2);
            staged.stream().flush();
            cluster.stopDataNode(0);
            staged.stream().write(bytes, bytes.length / 2, bytes.length - bytes.length / 2);
            return staged.publish(1);
        } catch (IOException e) {
            throw new EnvironmentException("cannot write: " + e.getMessage(), e);
        }
    }
}
