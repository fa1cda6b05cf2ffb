# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2154
#
# Two ranks of an Open MPI job on the two CPUs of one host. One computes for longer; the other
# waits for it in a barrier, busily, as Open MPI does, and then once more with a rank that yields.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_btl=self,vader
export PMIX_MCA_gds=hash OMPI_MCA_plm=isolated OMPI_MCA_btl_vader_single_copy_mechanism=none
start_lttng

# run_ranks SCENARIO OPTION...
run_ranks() {
	local name=$1
	shift
	start_trace "$name" core sys
	mpirun -np 2 "$@" python3 ./case-mpi.py "$out" >"$out/err.txt" 2>&1
	say "$name: status $?"
	stop_trace
}

mpirun -np 2 python3 -c 'from mpi4py import MPI' # from disk, once
run_ranks case-mpi
run_ranks case-mpi-yield --mca mpi_yield_when_idle 1
