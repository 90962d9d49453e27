package io.rankfeed.spark.prune;

import io.rankfeed.export.commit.Storage;
import io.rankfeed.export.store.HadoopFiles;
import io.rankfeed.schema.order.Order;
import io.rankfeed.schema.run.IdFiles;
import io.rankfeed.schema.run.OrderName;
import io.rankfeed.schema.run.StoredPlan;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** Plans over versions, and their names. Damaged ones, and files of other kinds, are never removed. */
final class OrderEntries {
    static final String NAMES = "names of orders";

    private OrderEntries() {}

    /**
     * The plans over versions that do not stay. The names of a plan come before it: one without a plan would have to be removed by hand.
     *
     * @param dataset its folder
     * @param stays whether the version with an id stays
     * @param kept ids of orders that commits name
     */
    static List<Entry> of(FileSystem fs, Path dataset, Predicate<String> stays, Set<String> kept) {
        Path folder = new Path(dataset, OrderName.FILES.folder());
        List<Entry> entries = new ArrayList<>();
        for (StoredPlan plan : StoredPlan.in(dataset.toString(), HadoopFiles.of(dataset.toString(), fs.getConf()))) {
            boolean isOld = plan.isComplete()
                    && !kept.contains(plan.id())
                    && plan.order().orElseThrow().versions().stream().noneMatch(stays);
            if (isOld) {
                plan.names().forEach(name -> entries.add(entry(fs, NAMES, new Path(folder, IdFiles.file(name)))));
                entries.add(entry(fs, OrderName.FILES.folder(), new Path(folder, plan.id())));
            }
        }
        return entries;
    }

    private static Entry entry(FileSystem fs, String kind, Path path) {
        try {
            return new Entry(kind, path, fs.getContentSummary(path).getLength(), true, Optional.empty());
        } catch (IOException e) {
            throw Storage.failed("read", path, e);
        }
    }

    static boolean isOne(Entry entry) {
        return entry.kind().equals(NAMES) || entry.kind().equals(OrderName.FILES.folder());
    }

    /** Removes a name, or a plan with what an interrupted {@code rankfeed plan} or job left next to it. */
    static void remove(FileSystem fs, Entry entry) {
        Path path = entry.folder();
        try {
            if (entry.kind().equals(NAMES)) {
                fs.delete(path, false);
                return;
            }
            fs.delete(new Path(path, Order.FILE_NAME), false);
            boolean isEmpty = true;
            for (FileStatus status : fs.listStatus(path)) {
                String name = status.getPath().getName();
                boolean isTemporary = name.startsWith("." + Order.FILE_NAME + ".")
                        || (name.startsWith("_") && name.endsWith("-" + Order.FILE_NAME));
                isEmpty &= isTemporary && fs.delete(status.getPath(), false);
            }
            if (isEmpty) {
                fs.delete(path, false);
            }
        } catch (IOException e) {
            throw Storage.failed("remove", path, e);
        }
    }
}
