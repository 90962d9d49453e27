package io.rankfeed.schema.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.schema.order.Order;
import io.rankfeed.schema.store.LocalFiles;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoredPlanTest {
    @TempDir
    private Path dataset;

    @Test
    void plansAndNames_areListed_otherFilesAreIgnored() throws Exception {
        StoredOrders orders = new StoredOrders(dataset.resolve("orders"));
        assertThat(StoredPlan.in(dataset.toString(), LocalFiles.INSTANCE)).isEmpty();
        String named = orders.write(1, StoredOrders.VERSION);
        String truncated = orders.write(2, StoredOrders.VERSION);
        orders.name("b", named);
        orders.name("a", named);
        orders.name("gone", "0123456789abcdef");
        orders.write("truncated.json", new byte[] {'{'});
        orders.write("notes.txt", "mine".getBytes(StandardCharsets.UTF_8));
        orders.write("folder/order.json", new byte[0]);
        orders.write("." + Order.FILE_NAME + ".1", new byte[0]);
        Path file = orders.folder().resolve(truncated).resolve(Order.FILE_NAME);
        Files.writeString(file, Files.readString(file).substring(1));
        Files.createDirectories(orders.folder().resolve("ffffffffffffffff"));

        List<StoredPlan> plans = StoredPlan.in(dataset.toString(), LocalFiles.INSTANCE);

        assertThat(plans)
                .extracting(StoredPlan::id)
                .contains(named, truncated, "ffffffffffffffff", "0123456789abcdef", "");
        assertThat(plans).hasSize(5);
        assertThat(plans).filteredOn(StoredPlan::isComplete).singleElement().satisfies(plan -> {
            assertThat(plan.id()).isEqualTo(named);
            assertThat(plan.names()).containsExactly("a", "b");
            assertThat(plan.order().orElseThrow().versions()).containsExactly(StoredOrders.VERSION);
        });
        assertThat(plans)
                .filteredOn(plan -> !plan.isComplete())
                .extracting(plan -> plan.names() + " " + plan.state().replaceFirst(":.*", ""))
                .containsExactlyInAnyOrder("[] damaged", "[] unfinished", "[gone] missing", "[truncated] damaged");
    }
}
