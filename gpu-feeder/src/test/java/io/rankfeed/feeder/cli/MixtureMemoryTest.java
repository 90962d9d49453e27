package io.rankfeed.feeder.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.feeder.cache.OpenOrder;
import io.rankfeed.feeder.fixture.TestMixture;
import io.rankfeed.feeder.plan.NamedOrder;
import io.rankfeed.schema.config.ByteSize;
import io.rankfeed.schema.failure.EnvironmentException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The values of {@code fill} are in memory, and {@code --memory} counts them. */
class MixtureMemoryTest {
    @TempDir
    private Path root;

    private OpenOrder opened;

    @BeforeEach
    void write() throws IOException {
        opened = NamedOrder.open(TestMixture.write(root, new Random(3)).folder().toString(), Optional.empty());
    }

    private long memoryBytes(String size) {
        FeedFlags flags = new FeedFlags();
        flags.memory = ByteSize.parse(size);
        return new FeedPlan(flags).settings(opened).memoryBytes();
    }

    @Test
    void memory_forRings_isWhatFillLeaves() {
        long whole = ByteSize.parse("1 GiB").bytes();
        assertThat(memoryBytes("1 GiB")).isBetween(whole - (64 << 10), whole - 1);
        assertThat(new FeedPlan(new FeedFlags()).settings(opened).memoryBytes()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void memory_smallerThanFill_isRefused() {
        assertThatThrownBy(() -> memoryBytes("1 B"))
                .isInstanceOf(EnvironmentException.class)
                .hasMessageContaining("the columns that members lack need")
                .hasMessageContaining("and --memory is 1 B; raise it");
    }
}
