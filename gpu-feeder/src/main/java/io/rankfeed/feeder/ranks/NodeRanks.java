package io.rankfeed.feeder.ranks;

import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.order.OrderLimits;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The ranks of this node, as the launcher of a job states them in the environment. Every node has the same number of
 * ranks.
 *
 * @param ranks of this node
 * @param world number of ranks of all nodes
 */
public record NodeRanks(SortedSet<Integer> ranks, int world) {
    private static final Pattern NUMBER = Pattern.compile("(\\d{1,6})(?:\\(x\\d{1,6}\\))?");
    private static final String INSTEAD = "; write the ranks, as in --ranks 0-3 --world 8";

    /**
     * Reads the ranks from the variables that torchrun sets in its workers, else from those that configure torchrun
     * ({@code PET_…}), else from Slurm's: one rank for each GPU, or for each task if Slurm reports no GPUs.
     *
     * @throws ConfigException if there are none, or they are unfit
     */
    public static NodeRanks of(Map<String, String> environment) {
        if (environment.containsKey("GROUP_RANK")) {
            return of(
                    number(environment, "GROUP_RANK"),
                    number(environment, "LOCAL_WORLD_SIZE"),
                    number(environment, "WORLD_SIZE"));
        } else if (environment.containsKey("PET_NNODES")) {
            int perNode = number(environment, "PET_NPROC_PER_NODE");
            return of(
                    number(environment, "PET_NODE_RANK"), perNode, (long) number(environment, "PET_NNODES") * perNode);
        } else if (environment.containsKey("SLURM_NNODES")) {
            boolean hasGpus = environment.containsKey("SLURM_GPUS_ON_NODE");
            int perNode = number(environment, hasGpus ? "SLURM_GPUS_ON_NODE" : "SLURM_TASKS_PER_NODE");
            return of(
                    number(environment, "SLURM_NODEID"), perNode, (long) number(environment, "SLURM_NNODES") * perNode);
        }
        throw new ConfigException(
                "--ranks auto: the environment has neither torchrun's variables (GROUP_RANK, or PET_NNODES,"
                        + " PET_NODE_RANK and PET_NPROC_PER_NODE) nor Slurm's (SLURM_NNODES)" + INSTEAD);
    }

    private static NodeRanks of(int node, int perNode, long world) {
        long first = (long) node * perNode;
        if (perNode < 1 || world > OrderLimits.MAX_LANES || first + perNode > world || world % perNode != 0) {
            throw new ConfigException("--ranks auto: node " + node + " with " + perNode
                    + " ranks does not fit into a world of " + world + INSTEAD);
        }
        return new NodeRanks(
                IntStream.range((int) first, (int) first + perNode)
                        .boxed()
                        .collect(Collectors.toCollection(TreeSet::new)),
                (int) world);
    }

    /** Slurm writes {@code 4(x2)} for two nodes of 4, and a list where they differ. */
    private static int number(Map<String, String> environment, String name) {
        String text = environment.getOrDefault(name, "");
        Matcher number = NUMBER.matcher(text);
        if (!number.matches()) {
            throw new ConfigException("--ranks auto: " + name
                    + (text.isEmpty() ? " is not set" : " is '" + text + "', expected one number") + INSTEAD);
        }
        return Integer.parseInt(number.group(1));
    }
}
