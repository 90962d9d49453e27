package io.rankfeed.export.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.StreamCapabilities;
import org.apache.hadoop.fs.Syncable;
import org.junit.jupiter.api.Test;

class SteadySyncTest {
    private static final byte[] STEP = new byte[1000];

    private final Disk disk = new Disk();

    @Test
    void sync_whileWriting_isRequestedAndOnceMoreAtTheEnd() throws Exception {
        SteadySync file = new SteadySync(new FSDataOutputStream(disk, null), STEP.length);
        file.write(STEP, 0, STEP.length - 1);
        assertThat(disk.begun.getCount()).isEqualTo(1);
        file.write(7);
        disk.begun.await();
        // The request is under way: whoever writes on does not wait for it, and makes no second one.
        file.write(STEP, 0, STEP.length);
        file.write(STEP, 0, STEP.length);
        disk.mayEnd.countDown();
        file.sync();
        assertThat(disk.syncedBytes).hasSize(2).endsWith(3 * STEP.length);
        file.close();
        assertThat(disk.size()).isEqualTo(3 * STEP.length);
    }

    @Test
    void sync_failedWhileWriting_failsTheFileAtItsEnd() throws Exception {
        SteadySync file = new SteadySync(new FSDataOutputStream(disk, null), STEP.length);
        disk.failure = "lost some bytes";
        disk.mayEnd.countDown();
        file.write(STEP, 0, STEP.length);
        disk.begun.await();
        assertThatThrownBy(file::sync).isInstanceOf(IOException.class).hasMessage("lost some bytes");
        file.close();
    }

    @Test
    void aFileThatIsGivenUpIsClosedAfterItsRequest() throws Exception {
        SteadySync file = new SteadySync(new FSDataOutputStream(disk, null), STEP.length);
        disk.mayEnd.countDown();
        file.write(STEP, 0, STEP.length);
        file.close();
        assertThat(disk.syncedBytes).containsExactly(STEP.length);
        assertThat(disk.afterClose).isFalse();
    }

    /** Reports what it was asked for; a failure is known by the first request alone, as kernels do. */
    private static final class Disk extends ByteArrayOutputStream implements Syncable, StreamCapabilities {
        final CountDownLatch begun = new CountDownLatch(1);
        final CountDownLatch mayEnd = new CountDownLatch(1);
        final List<Integer> syncedBytes = Collections.synchronizedList(new ArrayList<>());
        volatile String failure = "";
        volatile boolean afterClose;
        private volatile boolean closed;

        @Override
        public boolean hasCapability(String capability) {
            return capability.equals(StreamCapabilities.HSYNC);
        }

        @Override
        public void hflush() {}

        @Override
        public void hsync() throws IOException {
            begun.countDown();
            try {
                mayEnd.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            afterClose |= closed;
            syncedBytes.add(size());
            String reported = failure;
            failure = "";
            if (!reported.isEmpty()) {
                throw new IOException(reported);
            }
        }

        @Override
        public void close() {
            closed = true;
        }
    }
}
